import { randomUUID } from 'node:crypto';
import { emitKeypressEvents } from 'node:readline';
import { correlationIds } from '@proffer/core/envelope';
import { BURST, UNDECIDED } from '@proffer/core/gesture';
import { hideSecrets } from '@proffer/core/secrets';
import { describeDecision, describeProgress } from '@proffer/core/words';
import { announcedNames } from '../argument-names.js';
import { CommandFailure, EXIT, type ExitCode } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { counterMessage, rejectionMessage, statusMessage } from '../connection/envelopes.js';
import { follow } from '../connection/follow.js';
import { elsewhereLines, otherGateways, waitingElsewhere } from '../connection/other-gateways.js';
import { visibleName } from '../display/operation.js';
import { resultOf } from '../display/result.js';
import { progressAfter, sendApproval } from '../proposals/approval.js';
import { nameOf, type ProposalView, reasonIn } from '../proposals/proposal-view.js';
import { consequenceOf } from '../proposals/rejection.js';
import { executorOf, membersNow, predecessorIn, serversOf } from '../proposals/served.js';
import { explainUnserved } from '../proposals/unserved.js';
import { watchMembers } from '../proposals/watch-members.js';
import { inOwnWords, type Shell } from '../terminal/shell.js';
import { visible, voiceAt } from '../terminal/visible.js';
import { allow, approveAll, delegate, unknownIn, whyNotFor } from './acting.js';
import { withSimilar } from './batch.js';
import { afterEditing, afterLosing, editInEditor, editorOf } from './edit.js';
import { type Key, type KeyEffect, pressKey } from './keys.js';
import {
  afterRejection,
  EMPTY_INBOX,
  type InboxState,
  lostIn,
  type Note,
  paramsOf,
  selectedIn,
  whenConnected,
  withoutNote,
  withoutRevealed,
  withProposals,
  withShown,
} from './state.js';
import { drawInbox } from './view.js';

export interface LiveInboxOptions {
  readonly connection: GatewayConnection;
  readonly shell: Shell;
  readonly signal: AbortSignal;
}

/** On a smaller screen, lines would wrap or scroll away. */
const LEAST = { width: 40, height: 8 };

/** How a proposal ended, if that cannot be found. */
const OVER = 'This call is no longer pending.';

/** How often to look at the other gateways of this machine, in milliseconds. */
const ELSEWHERE_INTERVAL = 5_000;

/** How long a note is shown if it is not about a failure, in milliseconds. */
const NOTE_LASTS = 10_000;

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** Shows what is pending as it changes, and decides by keys, until `q` or the signal. */
export async function runLiveInbox({ connection, shell, signal }: LiveInboxOptions): Promise<ExitCode> {
  const { stdin, stdout, now } = shell;
  // Before anything is drawn: a missing gateway is better reported on a plain screen.
  const first = await connection.pending();
  let state: InboxState = withProposals({ ...EMPTY_INBOX, more: first.more }, first.proposals, now());
  let isDrawing = false;
  let elsewhere: readonly string[] = [];
  let notedAt = 0;
  // From the id of a request to what it asked for, until it is answered.
  const approved = new Map<string, string>();
  /** What is said about the last rejection, which may still lead to more. */
  let rejected: { readonly id: string; readonly note: Note | undefined } | undefined;
  let fault: unknown;
  const quit = new AbortController();
  const stop = (): void => quit.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const draw = (): void => {
    if (!isDrawing) return;
    const { url, space } = connection.endpoint;
    const members = presence.members();
    const canvas = {
      width: Math.max(LEAST.width, stdout.columns ?? 100),
      height: Math.max(LEAST.height, stdout.rows ?? 30),
      style: shell.style,
      now: now(),
      title: visible(`${space} at ${url}`),
      elsewhere,
      members,
      whyNot: whyNotFor(members),
    };
    const { lines, details } = drawInbox(state, canvas);
    stdout.write(`\u001b[H${lines.join('\u001b[K\r\n')}\u001b[K\u001b[J`);
    if (details !== undefined) state = withShown(state, details);
  };
  await using presence = watchMembers(connection.endpoint, draw);
  const show = (next: InboxState): void => {
    if (next.note !== state.note) notedAt = now();
    // The next visit hides everything again.
    state = next.revealed === next.selected ? next : withoutRevealed(next);
    draw();
    const { selected = '', batch = [] } = state;
    for (const id of [selected, ...batch.map(({ proposal }) => proposal.id)]) learnReason(id);
  };
  const tick = (): void => {
    const isStale = state.note !== undefined && state.note.tone !== 'bad' && now() - notedAt > NOTE_LASTS;
    if (isStale) state = withoutNote(state);
    draw();
  };
  const say = (text: string, tone: Note['tone']): void => show({ ...state, note: { text, tone } });

  /** The proposals whose reason was asked for. */
  const asked = new Set<string>();
  /** Finds out why a proposer asks, once. */
  const learnReason = (id: string): void => {
    if (!isDrawing || id === '' || asked.has(id)) return;
    asked.add(id);
    connection.proposal(id).then(
      ({ history }) => show({ ...state, reasons: new Map([...state.reasons, [id, reasonIn(history)]]) }),
      // Asked again with the next change.
      () => void asked.delete(id),
    );
  };

  /** How a proposal was decided; `undefined` if that cannot be found. */
  const endingOf = async (id: string): Promise<string | undefined> => {
    const found = await connection.proposal(id).catch(() => undefined);
    return found === undefined ? undefined : describeDecision(found.proposal, voiceAt(now()));
  };
  const reload = coalesce(async () => {
    const { proposals, more } = await connection.pending();
    const lost = lostIn(state, proposals);
    const how = lost === undefined ? undefined : await endingOf(lost);
    const ending = lost === undefined || how === undefined ? undefined : { id: lost, how };
    show(withProposals({ ...state, more }, proposals, now(), ending));
    const { id, note } = rejected ?? {};
    if (id === undefined || proposals.some((one) => one.id === id)) return;
    rejected = undefined;
    const became = state.note === note ? await endingOf(id) : undefined;
    if (became !== undefined && state.note === note) say(`Rejected ${id}. ${became}`, 'good');
  });
  const tryReload = (): void => {
    // If the gateway is gone, the stream notices and reports it too.
    reload().catch(() => undefined);
  };

  const lookElsewhere = coalesce(async () => {
    const found = await waitingElsewhere(otherGateways(connection.endpoint, shell.env), shell);
    elsewhere = elsewhereLines(found, { name: shell.name, command: 'inbox --watch' });
    draw();
  });

  async function act(effect: KeyEffect): Promise<void> {
    if (effect.type === 'quit') return quit.abort();
    if (effect.type === 'approve-all') return await settle(approveAll(connection, effect.batch));
    if (effect.type === 'delegate') {
      const { id, handed } = effect;
      return await settle(delegate(connection, handed, { id, now: Date.now() }));
    }
    const proposal = state.proposals.find(({ id }) => id === effect.id);
    if (proposal === undefined) return;
    if (effect.type === 'gather') return show(withSimilar(state, proposal, presence.members()));
    if (effect.type === 'reveal') return await reveal(proposal);
    if (effect.type === 'edit') return await edit();
    if (effect.type === 'learn') return await learn(proposal);
    if (effect.type === 'counter') {
      await connection.send(counterMessage(effect.id, effect.params, effect.reason));
      say(
        `Your changes were offered to ${proposal.proposer}. The call runs once ${proposal.proposer} accepts them.`,
        'good',
      );
      return await reload();
    }
    if (effect.type === 'allow') {
      return show({ ...state, note: await allow(connection, proposal, effect.allowance) });
    }
    // The answer may arrive before the acknowledgement, so the request is registered before it is sent.
    const request = randomUUID();
    if (effect.type === 'approve') approved.set(request, visibleName(proposal));
    const sending =
      effect.type === 'approve'
        ? sendApproval(connection, proposal, {
            params: effect.params,
            executor: executorOf(proposal, presence.members()),
            // The card says so.
            insteadOf: predecessorIn(proposal),
            request,
          })
        : connection.send({ ...rejectionMessage([effect.id], effect.reason, effect.message), id: request });
    const sent = await sending.catch(async (error: unknown) => {
      approved.delete(request);
      throw await explainUnserved(error, proposal, connection);
    });
    if (sent.status === 'late') {
      say(`Too late for ${effect.id}. ${(await endingOf(effect.id)) ?? OVER}`, 'bad');
    } else if (effect.type === 'reject') {
      state = afterRejection(state, effect.id, now());
      say(`Rejected ${effect.id}. ${await consequenceOf(connection, effect.id, voiceAt(now()))}`, 'good');
      rejected = { id: effect.id, note: state.note };
    } else {
      const progress = await progressAfter(connection, effect.id);
      if (progress !== undefined) approved.delete(request);
      if (progress !== undefined)
        say(`Approved ${effect.id}: ${describeProgress(progress, voiceAt(now()))}.`, 'good');
      else if (approved.has(request)) say(`Approved ${effect.id}.`, 'good');
    }
    await reload();
  }

  /** Reports a result, and the pending proposals after it. */
  async function settle(done: Promise<Note>): Promise<void> {
    const note = await done;
    show({ ...state, note });
    await reload();
  }

  /** The tool's argument names help the reader to type; without them, only those in the call are known. */
  async function learn(proposal: ProposalView): Promise<void> {
    const name = nameOf(proposal);
    if (proposal.subject === undefined || state.announced.has(name)) return;
    const members = presence.members() ?? (await membersNow(connection.endpoint)) ?? [];
    const [server] = serversOf(proposal, members);
    const names = server === undefined ? undefined : announcedNames(server.definition);
    if (names !== undefined) show({ ...state, announced: new Map([...state.announced, [name, names]]) });
  }

  /** Nothing is revealed before it is recorded who looks. */
  async function reveal({ id }: ProposalView): Promise<void> {
    await connection.send(statusMessage([id], 'revealed'));
    show({ ...state, revealed: id });
    await reload();
  }

  async function edit(): Promise<void> {
    const proposal = selectedIn(state);
    if (proposal === undefined) return;
    const editor = editorOf(shell.env);
    if (editor === undefined) {
      const text = 'EDITOR is not set. Set one value at a time: name=value.';
      show({ ...state, prompt: { purpose: 'set', text: '' }, note: { text, tone: 'plain' } });
      return await learn(proposal);
    }
    const { id } = proposal;
    // The editor shows them.
    if (state.revealed !== id && hideSecrets(proposal.params ?? {}).hasSecrets) await reveal(proposal);
    isDrawing = false;
    stdin.setRawMode?.(false);
    stdin.pause();
    stdout.write(LEAVE);
    try {
      const before = { params: paramsOf(state, proposal), text: state.unfinished.get(id) };
      const edited = await editInEditor(proposal, { ...before, editor });
      if (selectedIn(state)?.id === id) state = afterEditing(state, id, edited);
      else state = afterLosing(state, id, { how: (await endingOf(id)) ?? OVER, now: now() });
    } finally {
      // A reader who stops while the editor is open has already left the screen.
      if (!quit.signal.aborted) {
        isDrawing = true;
        stdout.write(ENTER);
        stdin.setRawMode?.(true);
        stdin.resume();
        draw();
      }
    }
  }

  /** An approval that is sent unless the next character follows at once: then it was the first letter of a text. */
  let approval: NodeJS.Timeout | undefined;
  const onKey = (text: string | undefined, key: Omit<Key, 'text'>): void => {
    if (!isDrawing) return;
    if (approval !== undefined) {
      clearTimeout(approval);
      approval = undefined;
      const { deciding: _deciding, ...undecided } = state;
      return show({ ...undecided, driftedAt: now(), note: { text: UNDECIDED.typing, tone: 'plain' } });
    }
    const pressed = pressKey(state, { ...key, text: text ?? '' }, now());
    show(pressed.state);
    const { effect } = pressed;
    if (effect === undefined) return;
    if (effect.type !== 'approve' && effect.type !== 'approve-all') return run(effect);
    approval = setTimeout(() => {
      approval = undefined;
      run(effect);
    }, BURST);
  };
  const run = (effect: KeyEffect): void => {
    act(effect).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) {
        // Restores the screen before an internal error is reported.
        fault = error;
        return stop();
      }
      const { deciding: _deciding, ...undecided } = state;
      const { message, exit, next = [] } = error.failure;
      const isAboutConnection = exit === EXIT.unreachable;
      show({
        ...undecided,
        note: {
          text: inOwnWords(message, shell.name),
          // While the gateway is gone, all we can do is wait.
          hints: isAboutConnection ? [] : next,
          tone: 'bad',
          isAboutConnection,
        },
      });
      tryReload();
    });
  };

  emitKeypressEvents(stdin);
  stdin.on('keypress', onKey);
  stdin.setRawMode?.(true);
  stdin.resume();
  stdout.on('resize', draw);
  stdout.write(ENTER);
  isDrawing = true;
  show(state);
  // Ages and deadlines change over time.
  const clock = setInterval(tick, 1000);
  void lookElsewhere();
  const others = setInterval(() => void lookElsewhere(), ELSEWHERE_INTERVAL);
  try {
    const messages = follow(connection, {
      after: 'now',
      signal: quit.signal,
      onOpen: () => {
        show(whenConnected(state));
        tryReload();
      },
      onLost: () => show({ ...state, connected: false }),
    });
    for await (const message of messages) {
      if (message.seq !== undefined) tryReload();
      const unknown = unknownIn(message, approved);
      if (unknown !== undefined)
        say(`Nobody knows whether ${unknown} ran. Check before you repeat it.`, 'bad');
      const [request = ''] = correlationIds(message);
      const operation = message.kind.startsWith('mcp.response.') ? approved.get(request) : undefined;
      if (operation === undefined) continue;
      approved.delete(request);
      const { outcome, text } = resultOf(message.payload);
      say(
        `${operation} ${outcome === 'ok' ? 'is done' : 'failed'}: ${text}`,
        outcome === 'ok' ? 'good' : 'bad',
      );
    }
  } finally {
    clearInterval(clock);
    clearInterval(others);
    clearTimeout(approval);
    signal.removeEventListener('abort', stop);
    isDrawing = false;
    stdin.off('keypress', onKey);
    stdout.off('resize', draw);
    stdin.setRawMode?.(false);
    stdin.pause();
    stdout.write(LEAVE);
  }
  if (fault !== undefined) throw fault;
  return EXIT.done;
}

/** Runs one at a time; calls during a run share one more run. */
function coalesce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const current = run().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  };
  return () => {
    if (running === undefined) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
