import { setTimeout as pause } from 'node:timers/promises';
import { correlationIds } from '@proffer/core/envelope';
import { isDecisiveRejection, rejectsProposal } from '@proffer/core/rejection';
import { CommandFailure, EXIT, type ExitCode } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { whereOptions } from '../connection/endpoint.js';
import { withdrawalMessage } from '../connection/envelopes.js';
import { follow, isAway, isOlderHistory, OLDER_HISTORY, RETRY_EVERY } from '../connection/follow.js';
import { commandAbout, type Shell, shellWord } from '../terminal/shell.js';
import { findOffline } from './find-proposal.js';
import type { LoggedMessage, ProposalStep, ProposalView } from './proposal-view.js';

/** How the wait for a proposal ended. */
export interface WaitOutcome {
  readonly exit: ExitCode;
  readonly proposal: ProposalView;
  readonly history: readonly ProposalStep[];
  /** The options that lead a command in another terminal to the same gateway and space. */
  readonly at: string;
}

interface AwaitOptions {
  /** The `seq` after which something may have happened. */
  readonly after: number;
  /**
   * Whether to withdraw it when someone who could have approved it, or everyone addressed, rejects it (O-31).
   */
  readonly withdrawWhenRejected?: boolean;
  /** Whether it is approved already, and only its result is awaited. Default: false. */
  readonly isApproved?: boolean;
  /** Milliseconds; absent: forever. */
  readonly timeout?: number;
  readonly signal: AbortSignal;
  /** Called with each message about the proposal. */
  readonly onMessage?: (message: LoggedMessage) => void;
  /** Called once when the gateway is gone. */
  readonly onLost?: () => void;
  /** Called when it is back. */
  readonly onBack?: () => void;
  /** How long the gateway may be gone before the wait ends, in milliseconds; absent: forever. */
  readonly longestLoss?: number;
}

/**
 * Waits until a proposal that was just sent or approved has finished, or can no longer be expected to.
 *
 * @throws CommandFailure when the time is up, the signal ends the wait, or the gateway is gone for too long or came
 *   back without what was sent
 */
export async function awaitOutcome(
  connection: GatewayConnection,
  id: string,
  options: AwaitOptions,
): Promise<WaitOutcome> {
  const { after, timeout, signal, onMessage, longestLoss } = options;
  let { withdrawWhenRejected = false } = options;
  const ends = new AbortController();
  let why: WaitEnd = 'interrupted';
  let isApproved = options.isApproved ?? false;
  const end = (): void => ends.abort();
  const endAs = (reason: WaitEnd) => (): void => {
    why = reason;
    end();
  };
  const timer = timeout === undefined ? undefined : setTimeout(endAs('late'), timeout);
  let lossTimer: NodeJS.Timeout | undefined;
  let isLost = false;
  const onLost = (): void => {
    if (isLost) return;
    isLost = true;
    options.onLost?.();
    if (longestLoss !== undefined) lossTimer = setTimeout(endAs('gone'), longestLoss);
  };
  const onOpen = (): void => {
    clearTimeout(lossTimer);
    if (isLost) options.onBack?.();
    isLost = false;
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const look = async (): Promise<WaitOutcome | undefined> => {
    const { proposal, history } = await connection.proposal(id, ends.signal);
    isApproved = proposal.phase === 'fulfilled' || proposal.phase === 'allowed';
    if (withdrawWhenRejected && isTurnedDown(proposal)) {
      // Only what is recorded then is certain: if an approval was first, its result is still awaited.
      await connection.send(withdrawalMessage([id], 'declined'));
      withdrawWhenRejected = false;
      return await look();
    }
    const exit = exitFor(proposal);
    return exit === undefined
      ? undefined
      : { exit, proposal, history, at: whereOptions(connection.endpoint) };
  };
  /** The gateway may go away between its message and our request. */
  const lookAgain = async (): Promise<WaitOutcome | undefined> => {
    while (!ends.signal.aborted) {
      try {
        const found = await look();
        onOpen();
        return found;
      } catch (error) {
        if (ends.signal.aborted) break;
        if (!isAway(error)) throw error;
        onLost();
        await pause(RETRY_EVERY, undefined, { signal: ends.signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  // The id of the fulfilment that the answer refers to.
  const related = new Set([id]);
  try {
    const following = { after, signal: ends.signal, hasAnswered: true, onLost, onOpen };
    for await (const message of follow(connection, following)) {
      if (!correlationIds(message).some((about) => related.has(about))) continue;
      related.add(message.id);
      onMessage?.(message);
      const ended = await lookAgain();
      if (ended !== undefined) return ended;
    }
  } catch (error) {
    if (!isOlderHistory(error)) throw error;
    why = 'restored';
  } finally {
    clearTimeout(timer);
    clearTimeout(lossTimer);
    signal.removeEventListener('abort', end);
  }
  throw stoppedWaiting(why, { id, isApproved }, connection);
}

/** The exit code for a proposal in this state; `undefined` while it is worth waiting. */
function exitFor(proposal: ProposalView): ExitCode | undefined {
  const { phase, outcome, fulfilment } = proposal;
  if (phase === 'expired') return EXIT.timedOut;
  if (phase === 'withdrawn' || phase === 'declined') return EXIT.refused;
  if (outcome !== undefined) {
    return outcome.result === 'ok' ? EXIT.done : outcome.result === 'error' ? EXIT.refused : EXIT.unknown;
  }
  // A notification has no answer: it is done when it is approved.
  return phase === 'fulfilled' && fulfilment?.answerBy === undefined ? EXIT.done : undefined;
}

/**
 * Whether a pending proposal was turned down: by someone who could have approved it, or by everyone addressed (O-31).
 */
function isTurnedDown({ phase, declined, rejections }: ProposalView): boolean {
  const given = Object.values(rejections);
  return (
    phase === 'pending' && (given.some(isDecisiveRejection) || (declined && given.some(rejectsProposal)))
  );
}

/** What ended a wait early: a timeout, the user, a gateway that went away, or one that came back with less history. */
type WaitEnd = 'late' | 'interrupted' | 'gone' | 'restored';

/** What was awaited. */
interface Waiting {
  readonly id: string;
  /** Whether it was approved: then it cannot be taken back, and only its result was missing. */
  readonly isApproved: boolean;
}

/** The failure of a command that waited for a proposal in vain. */
export function stoppedWaiting(
  end: WaitEnd,
  { id, isApproved }: Waiting,
  { name, endpoint }: GatewayConnection,
): CommandFailure {
  const at = whereOptions(endpoint);
  const show = `${commandAbout(`${name} show`, [id], { options: at })}   # what became of it`;
  const withdraw = `${commandAbout(`${name} withdraw`, [id], { options: at })}   # take it back`;
  const next = isApproved ? [show] : [show, withdraw];
  const about = JSON.stringify(id);
  const details = { proposal: id };
  switch (end) {
    case 'late': {
      const message = isApproved
        ? `${about} is approved, but there was no result in time. The approval stands.`
        : `No decision on ${about} in time.`;
      return new CommandFailure({ exit: EXIT.timedOut, code: 'timed_out', message, details, next });
    }
    case 'interrupted': {
      const message = isApproved
        ? `No longer waiting for the result of ${about}; the approval stands.`
        : `No longer waiting for ${about}; the call itself continues.`;
      return new CommandFailure({ exit: EXIT.interrupted, code: 'interrupted', message, details, next });
    }
    case 'restored': {
      const what = isApproved ? 'The approval of' : 'The proposal';
      const message = `${OLDER_HISTORY} ${what} ${about} may be gone.`;
      const again = isApproved
        ? [`${show}; if it is pending again, check what it did before you approve it`]
        : [show, 'If it is gone, propose it again.'];
      return new CommandFailure({
        exit: EXIT.unreachable,
        code: 'future_cursor',
        message,
        details,
        next: again,
      });
    }
    case 'gone': {
      const message = isApproved
        ? `The gateway is offline. The approval of ${about} is stored, but there is no result yet.`
        : `The gateway is offline. The proposal ${about} is stored, but nobody has decided yet.`;
      const { data } = endpoint;
      const offline = (folder: string): string =>
        `${commandAbout(`${name} show`, [id], { options: ` --data ${shellWord(folder)}` })}   # what is stored`;
      const back = data === undefined ? next : [offline(data), `${show}, once a guard runs again`];
      return new CommandFailure({
        exit: EXIT.unreachable,
        code: 'unreachable',
        message,
        details,
        next: back,
      });
    }
  }
}

/** How long it takes at most until another guard takes over the shared gateway, in milliseconds. */
const HANDING_OVER = 4_000;

/** How to wait for the result of an approval. The shell reports when the gateway is gone. */
interface ResultOptions extends Pick<AwaitOptions, 'after' | 'timeout' | 'signal'> {
  readonly shell: Shell;
}

/**
 * Waits for the result of a proposal that was just approved. If the guards' gateway is gone, we do not wait for it but
 * show what it has stored.
 *
 * @throws CommandFailure when the wait ends without a result; the approval stands
 */
export async function awaitResult(
  connection: GatewayConnection,
  id: string,
  { shell, ...options }: ResultOptions,
): Promise<WaitOutcome> {
  const { data } = connection.endpoint;
  const retrying = data === undefined ? 'reconnecting' : 'trying to reconnect for a moment';
  try {
    return await awaitOutcome(connection, id, {
      ...options,
      isApproved: true,
      ...(data === undefined ? {} : { longestLoss: HANDING_OVER }),
      onLost: () =>
        shell.tell(
          shell.style.yellow(`Connection to the gateway lost; ${retrying}. Your approval is stored.`),
        ),
      onBack: () => shell.tell('Reconnected; still waiting.'),
    });
  } catch (error) {
    const isGone = error instanceof CommandFailure && error.failure.code === 'unreachable';
    const stored = isGone && data !== undefined ? await storedOutcome(id, data, shell) : undefined;
    if (stored === undefined) throw error;
    shell.tell('From its journal:');
    return { ...stored, at: whereOptions(connection.endpoint) };
  }
}

/** The outcome according to the journal; `undefined` if it has none, or cannot be read. */
async function storedOutcome(
  id: string,
  data: string,
  shell: Shell,
): Promise<Omit<WaitOutcome, 'at'> | undefined> {
  try {
    const { proposal, history } = await findOffline(id, { data }, shell);
    const exit = exitFor(proposal);
    return exit === undefined ? undefined : { exit, proposal, history };
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
}
