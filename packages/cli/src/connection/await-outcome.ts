import { correlationIds } from '@proffer/core/envelope';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Connection } from './connection.js';
import { follow } from './follow.js';
import { whereOptions } from './gateway-url.js';
import type { Message, ProposalView, Step } from './proposal-view.js';

/** How the wait for a proposal ended. */
export interface Outcome {
  readonly exit: ExitCode;
  readonly proposal: ProposalView;
  readonly history: readonly Step[];
  /** The options that lead a command in another terminal to the same gateway and space. */
  readonly at: string;
}

export interface AwaitOptions {
  /** The `seq` after which something can have happened. */
  readonly after: number;
  /** Whether a rejection, or that everybody addressed has declined, ends the wait. */
  readonly untilRejected: boolean;
  /** Milliseconds; absent: for ever. */
  readonly timeout?: number;
  readonly signal: AbortSignal;
  /** Called with each message about the proposal. */
  readonly onMessage?: (message: Message) => void;
  /** Called when the gateway is gone, once until it is back. */
  readonly onLost?: () => void;
  /** Called when it is back. */
  readonly onBack?: () => void;
}

/** Waits until a proposal is decided and done, or cannot be expected to be. */
export async function awaitOutcome(
  connection: Connection,
  id: string,
  options: AwaitOptions,
): Promise<Outcome> {
  const { after, timeout, signal, untilRejected, onMessage } = options;
  const ends = new AbortController();
  const end = (): void => ends.abort();
  let isLate = false;
  const late = (): void => {
    isLate = true;
    end();
  };
  const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const look = async (): Promise<Outcome | undefined> => {
    const { proposal, history } = await connection.proposal(id);
    const exit = exitFor(proposal, untilRejected);
    return exit === undefined
      ? undefined
      : { exit, proposal, history, at: whereOptions(connection.endpoint) };
  };
  // The id of the fulfilment, which the answer refers to.
  const related = new Set([id]);
  try {
    let isLost = false;
    const onLost = (): void => {
      if (!isLost) options.onLost?.();
      isLost = true;
    };
    const onOpen = (): void => {
      if (isLost) options.onBack?.();
      isLost = false;
    };
    for await (const message of follow(connection, { after, signal: ends.signal, onLost, onOpen })) {
      if (!correlationIds(message).some((about) => related.has(about))) continue;
      related.add(message.id);
      onMessage?.(message);
      const ended = await look();
      if (ended !== undefined) return ended;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
  if (isLate) {
    const message = `Nothing was decided about ${JSON.stringify(id)} within the time given.`;
    throw new CommandFailure({
      exit: EXIT.timedOut,
      code: 'timed_out',
      message,
      details: { proposal: id },
      next: nextFor(id, connection),
    });
  }
  const message = `No longer waiting for ${JSON.stringify(id)}; it goes on without you.`;
  throw new CommandFailure({
    exit: EXIT.interrupted,
    code: 'interrupted',
    message,
    details: { proposal: id },
    next: nextFor(id, connection),
  });
}

/** The exit code that a proposal in this state calls for; nothing while it is worth waiting. */
export function exitFor(proposal: ProposalView, untilRejected: boolean): ExitCode | undefined {
  const { phase, outcome, to, declined, rejections, fulfilment } = proposal;
  if (phase === 'expired') return EXIT.timedOut;
  if (phase === 'withdrawn' || phase === 'declined') return EXIT.refused;
  if (outcome !== undefined) {
    return outcome.result === 'ok' ? EXIT.done : outcome.result === 'error' ? EXIT.refused : EXIT.unknown;
  }
  // Nobody answers a notification: it is done when it is approved.
  if (phase === 'fulfilled') return fulfilment?.answerBy === undefined ? EXIT.done : undefined;
  if (!untilRejected) return undefined;
  const addressed = to.length > 0 || proposal.targeting !== undefined;
  const turnedDown = addressed ? declined : Object.keys(rejections).length > 0;
  return turnedDown ? EXIT.refused : undefined;
}

function nextFor(id: string, { name, endpoint }: Connection): readonly string[] {
  const at = whereOptions(endpoint);
  return [`${name} show ${id}${at}   # what became of it`, `${name} withdraw ${id}${at}   # take it back`];
}
