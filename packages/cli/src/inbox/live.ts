import { randomUUID } from 'node:crypto';
import { emitKeypressEvents } from 'node:readline';
import { correlationIds } from '@proffer/core/envelope';
import { sameJson } from '@proffer/core/json';
import { announcedNames } from '../argument-names.js';
import { CommandFailure } from '../command-failure.js';
import type { Connection } from '../connection/connection.js';
import { fulfilmentMessage, rejectionMessage } from '../connection/envelopes.js';
import { follow } from '../connection/follow.js';
import { type Message, nameOf, type ProposalView } from '../connection/proposal-view.js';
import { definitionsNow, watchMembers } from '../connection/served.js';
import { explainUnserved } from '../connection/unserved.js';
import { describeEnding } from '../display/ending.js';
import { resultOf } from '../display/result.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { inOwnWords } from '../terminal/own-name.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { editInEditor, editorOf } from './edit.js';
import { type Effect, type Key, pressKey } from './keys.js';
import {
  afterRejection,
  EMPTY_INBOX,
  type InboxState,
  lostIn,
  type Note,
  selectedIn,
  whenConnected,
  withProposals,
} from './state.js';
import { drawInbox } from './view.js';

export interface LiveInboxOptions {
  readonly connection: Connection;
  readonly shell: Shell;
  readonly signal: AbortSignal;
}

/** On a screen smaller than that, lines would have to wrap or scroll away. */
const LEAST = { width: 40, height: 8 };

/** How a proposal ended, where that cannot be found out. */
const OVER = 'it is not pending any more';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** Shows what is pending as it changes, and decides by keys, until `q` or the signal. */
export async function runLiveInbox({ connection, shell, signal }: LiveInboxOptions): Promise<ExitCode> {
  const { stdin, stdout, now } = shell;
  // Before anything is drawn: a gateway that does not answer is better said on a plain screen.
  const first = await connection.pending();
  await using presence = watchMembers(connection.endpoint);
  let state: InboxState = withProposals({ ...EMPTY_INBOX, more: first.more }, first.proposals, 0);
  let isDrawing = true;
  // From the id of a request to what it asked for, until it is answered.
  const approved = new Map<string, string>();
  let fault: unknown;
  const quit = new AbortController();
  const stop = (): void => quit.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const draw = (): void => {
    if (!isDrawing) return;
    const { url, space } = connection.endpoint;
    const canvas = {
      width: Math.max(LEAST.width, stdout.columns ?? 100),
      height: Math.max(LEAST.height, stdout.rows ?? 30),
      style: shell.style,
      now: now(),
      title: visible(`${space} at ${url}`),
      members: presence.members(),
    };
    stdout.write(`\u001b[H${drawInbox(state, canvas).join('\u001b[K\r\n')}\u001b[K\u001b[J`);
  };
  const show = (next: InboxState): void => {
    state = next;
    draw();
  };
  const say = (text: string, tone: Note['tone']): void => show({ ...state, note: { text, tone } });

  /** How a proposal came to be pending no more; nothing where that cannot be found out. */
  const endingOf = async (id: string): Promise<string | undefined> => {
    const found = await connection.proposal(id).catch(() => undefined);
    return found === undefined ? undefined : describeEnding(found.proposal);
  };
  const reload = coalesce(async () => {
    const { proposals, more } = await connection.pending();
    const lost = lostIn(state, proposals);
    const how = lost === undefined ? undefined : await endingOf(lost);
    const ending = lost === undefined || how === undefined ? undefined : { id: lost, how };
    show(withProposals({ ...state, more }, proposals, now(), ending));
  });
  const tryReload = (): void => {
    // If the gateway is gone, the stream notices too, and says so.
    reload().catch(() => undefined);
  };

  async function act(effect: Effect): Promise<void> {
    if (effect.type === 'quit') return quit.abort();
    const proposal = state.proposals.find(({ id }) => id === effect.id);
    if (proposal === undefined) return;
    if (effect.type === 'edit') return await edit();
    if (effect.type === 'learn') return await learn(proposal);
    const message =
      effect.type === 'approve'
        ? fulfilmentMessage(proposal, effect.params, undefined)
        : rejectionMessage(effect.id, effect.reason, effect.message);
    // The answer may be here before the acknowledgement, so its request is known before it is sent.
    const request = randomUUID();
    if (effect.type === 'approve') approved.set(request, nameOf(proposal));
    const sent = await connection.send({ ...message, id: request }).catch(async (error: unknown) => {
      throw await explainUnserved(error, proposal, connection);
    });
    if (sent.status === 'late') {
      say(`Too late for ${effect.id}: ${(await endingOf(effect.id)) ?? OVER}.`, 'bad');
    } else if (effect.type === 'reject') {
      state = afterRejection(state, effect.id, now());
      say(`Rejected ${effect.id}. It stays open to others until it is withdrawn or expires.`, 'good');
    } else if (approved.has(request)) say(`Approved ${effect.id}.`, 'good');
    await reload();
  }

  /** What the tool takes is a help for whoever types; without it, only what is in the call is known. */
  async function learn({ subject }: ProposalView): Promise<void> {
    if (subject === undefined || subject.list === 'resources' || state.announced.has(subject.name)) return;
    const served = await definitionsNow(connection.endpoint, subject.list);
    const found = served?.find(({ name }) => name === subject.name);
    const names = found === undefined ? undefined : announcedNames(found.definition);
    if (names === undefined) return;
    show({ ...state, announced: new Map([...state.announced, [subject.name, names]]) });
  }

  async function edit(): Promise<void> {
    const proposal = selectedIn(state);
    if (proposal === undefined) return;
    const editor = editorOf(shell.env);
    if (editor === undefined) {
      const text = 'EDITOR is not set, so one value at a time: its name, =, and the value.';
      show({ ...state, prompt: { purpose: 'set', text: '' }, note: { text, tone: 'plain' } });
      return await learn(proposal);
    }
    const { id } = proposal;
    const before = state.draft?.id === id ? state.draft.params : proposal.params;
    isDrawing = false;
    stdin.setRawMode?.(false);
    stdin.pause();
    stdout.write(LEAVE);
    try {
      const text = state.unfinished?.id === id ? state.unfinished.text : undefined;
      const edited = await editInEditor(proposal, { params: before, text, editor });
      const how = selectedIn(state)?.id === id ? undefined : await endingOf(id);
      const { unfinished: _unfinished, ...rest } = state;
      if (selectedIn(state)?.id !== id) {
        const text = `While you edited ${id}, ${how ?? OVER}; nothing is sent.`;
        // Whoever comes back from the editor has seen nothing of what is under the cursor now.
        state = { ...rest, driftedAt: now(), note: { text, tone: 'bad' } };
      } else if ('params' in edited) {
        state = { ...rest, draft: { id, params: edited.params } };
      } else {
        const left = edited.text === undefined ? {} : { unfinished: { id, text: edited.text } };
        state = { ...state, ...left, note: { text: edited.problem, tone: 'bad' } };
      }
    } finally {
      // Who is told to stop while the editor is open has left the screen already.
      if (!quit.signal.aborted) {
        isDrawing = true;
        stdout.write(ENTER);
        stdin.setRawMode?.(true);
        stdin.resume();
        draw();
      }
    }
  }

  /** What was changed is not lost when the gateway refuses it. */
  function keepDraft(effect: Effect | undefined): void {
    if (effect?.type !== 'approve' || effect.params === undefined) return;
    const { id, params } = effect;
    const proposed = state.proposals.find((proposal) => proposal.id === id)?.params;
    if (!sameJson(proposed, params)) state = { ...state, draft: { id, params } };
  }

  const onKey = (text: string | undefined, key: Omit<Key, 'text'>): void => {
    if (!isDrawing) return;
    const pressed = pressKey(state, { ...key, text: text ?? '' }, now());
    show(pressed.state);
    if (pressed.effect === undefined) return;
    act(pressed.effect).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) {
        // The screen has to be given back before a fault of ours is told.
        fault = error;
        return stop();
      }
      keepDraft(pressed.effect);
      const { message, exit, next = [] } = error.failure;
      const isAboutConnection = exit === EXIT.unreachable;
      show({
        ...state,
        note: {
          text: inOwnWords(message, shell.name),
          // While the gateway is gone there is nothing to do here but to wait.
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
  draw();
  // Ages and deadlines grow by themselves.
  const clock = setInterval(draw, 1000);
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
        say(`Nobody knows whether ${unknown} ran. Look before it is repeated.`, 'bad');
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

/** The operation that a notice says has an unknown outcome (O-23), if it was approved here; it is not waited for any more. */
function unknownIn({ kind, payload }: Message, approved: Map<string, string>): string | undefined {
  const { notice, request } = payload;
  if (kind !== 'system.notice' || notice !== 'outcome_unknown' || typeof request !== 'string')
    return undefined;
  const operation = approved.get(request);
  approved.delete(request);
  return operation;
}

/** Runs one at a time; calls that come meanwhile share one more run. */
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
