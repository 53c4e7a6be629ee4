import { type ConnectionClosedError, connect, type Participant, type Paused } from '@proffer/client';
import { type JsonObject, type JsonValue, objectsIn } from '@proffer/core/json';
import { type Pause, pauseAfter, recordInMessage } from '@proffer/core/operations';
import { AskError, ask } from '../session/http.js';
import type { SignInSession } from '../session/session.js';
import { createStore, type Store } from '../state/store.js';
import { Executors } from './executors.js';
import { Proposals } from './proposals.js';
import { readProposal, recallPast } from './recall.js';
import { type Rights, rightsOf } from './rights.js';

/** After drawing, the page gets as much time for everything else, up to this many milliseconds. */
const MAX_REST = 100;

/**
 * Calls a function at most once per frame however often it is requested; less often if drawing its changes
 * takes long, so that scrolling and typing stay responsive; and once a second while the page is hidden.
 */
function atMostOncePerFrame(run: () => void): () => void {
  let isAsked = false;
  let readyAt = 0;
  const go = (): void => {
    isAsked = false;
    const start = performance.now();
    run();
    // After the changes are drawn.
    setTimeout(() => {
      const now = performance.now();
      readyAt = now + Math.min(now - start, MAX_REST);
    }, 0);
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    const wait = readyAt - performance.now();
    // A hidden page has no frames, but still counts in its title.
    if (document.visibilityState !== 'visible') setTimeout(go, 1_000);
    else if (wait <= 0) requestAnimationFrame(go);
    else setTimeout(() => requestAnimationFrame(go), wait);
  };
}

/** The state of the connection to the gateway. */
export type ConnectionStatus =
  | { readonly state: 'live' }
  /** Lost, and being re-established. */
  | { readonly state: 'lost'; readonly retryAt: number }
  /** Closed for good. */
  | { readonly state: 'over'; readonly reason: ConnectionClosedError };

/** A joined space: its proposals, its members, and how to send messages. */
export interface Space {
  readonly name: string;
  readonly me: string;
  readonly token: string;
  readonly participant: Participant;
  readonly proposals: Proposals;
  /** The executors of pending proposals. */
  readonly executors: Executors;
  readonly status: Store<ConnectionStatus>;
  /** Incremented when anything in the space changed, at most once per frame. */
  readonly changes: Store<number>;
  /** Incremented when the gateway would show a pending proposal differently without a record of its own. */
  readonly reviews: Store<number>;
  /** Whether recent history is loaded, so that new things can be marked. */
  readonly knowsPast: () => boolean;
  /** Set if approvals are paused, with who and why. */
  paused(): Paused | undefined;
  /** What may be done here, by core's rules over the capabilities that the gateway named. */
  rights(): Rights;
  close(): void;
}

/**
 * Joins a space: resolves with the first welcome. The pending proposals come first from the welcome, then
 * page by page; everything after that is folded from records.
 */
export async function enterSpace(session: SignInSession, name: string, signal: AbortSignal): Promise<Space> {
  const { tokens } = session;
  const participant = await connect({
    url: location.origin,
    token: () => tokens.fresh(),
    space: name,
    records: true,
    timeout: Number.POSITIVE_INFINITY,
    retry: { maxDelay: 5_000 },
    signal,
  });
  const proposals = new Proposals();
  const status = createStore<ConnectionStatus>({ state: 'live' });
  const changes = createStore(0);
  const reviews = createStore(0);
  const changed = atMostOncePerFrame(() => changes.set(changes.get() + 1));
  const executors = new Executors({
    askFor: async (id) => (await readProposal({ name, token: tokens.current() }, id))['proposal'],
    onChange: changed,
  });
  let rights = rightsOf(participant.welcome.you);
  let pause = pauseIn(participant.welcome);
  let knowsPast = false;

  participant.on('message', (message) => {
    const record = recordInMessage(message);
    if (record !== undefined) proposals.take(record);
    if (record?.type === 'approvals_paused' || record?.type === 'approvals_resumed')
      pause = pauseAfter(pause, record);
    // Somebody delegated all reviews, or took them back (O-34).
    if (record?.type === 'delegated') reviews.set(reviews.get() + 1);
    executors.take(message);
    changed();
  });
  participant.on('welcome', (welcome) => {
    rights = rightsOf(welcome.you);
    pause = pauseIn(welcome);
    executors.begin();
    status.set({ state: 'live' });
    // The gateway may have been restarted with another policy, which is in no record (O-28).
    list(welcome).catch(() => {});
    changed();
  });
  participant.on('disconnected', ({ retryIn }) => {
    status.set({ state: 'lost', retryAt: Date.now() + retryIn });
  });
  // Decisions report their own failures; nothing else here throws.
  participant.on('error', () => {});
  void participant.closed.then((reason) => status.set({ state: 'over', reason }));

  async function list({ pending, morePending }: Participant['welcome']): Promise<void> {
    proposals.list(pending);
    await listPending(name, tokens.current(), morePending > 0, (views, isLast) => {
      proposals.list(views);
      if (isLast) proposals.finishListing();
      changed();
    });
  }
  async function recall(): Promise<void> {
    const { welcome } = participant;
    await list(welcome);
    await recallPast({ name, token: tokens.current(), proposals }, welcome.seq);
    knowsPast = true;
    changed();
  }
  // Without history, cards say nothing about it.
  recall().catch(() => {});

  return {
    name,
    me: participant.name,
    get token() {
      return tokens.current();
    },
    participant,
    proposals,
    executors,
    status,
    changes,
    reviews,
    knowsPast: () => knowsPast,
    paused: () => (pause?.isPaused === true ? pause : undefined),
    rights: () => rights,
    close: () => void participant.close(),
  };
}

function pauseIn({ paused }: Participant['welcome']): Pause | undefined {
  return paused === undefined ? undefined : { ...paused, isPaused: true };
}

/** Pauses between retries of a page, in milliseconds. */
const PAUSE = 2_000;

/** Reads pending proposals page by page until all are listed. */
async function listPending(
  space: string,
  token: string,
  isMore: boolean,
  onPage: (views: readonly JsonObject[], isLast: boolean) => void,
): Promise<void> {
  if (!isMore) return onPage([], true);
  const address = `/spaces/${encodeURIComponent(space)}/proposals?state=pending`;
  let after: JsonValue | undefined;
  for (;;) {
    try {
      const place = typeof after === 'string' ? `&after=${encodeURIComponent(after)}` : '';
      const { proposals, next } = await ask(address + place, token);
      const views = objectsIn(proposals);
      onPage(views, next === undefined);
      if (next === undefined) return;
      after = next;
    } catch (error) {
      if (error instanceof AskError && error.code === 'unauthenticated') return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
