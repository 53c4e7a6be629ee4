import { mayBeOutdated, refuse } from '@proffer/core';
import { type Journal, JournalError } from '@proffer/journal';
import type { SenderQueue } from './live-space.js';
import {
  batchOutcomeAfter,
  notDecided,
  type SettleMessage,
  type SpaceMessageOutcome,
} from './space-message-outcome.js';

/** How long the journal's records may take to arrive, in milliseconds. */
const ARRIVAL = 3_000;

/** Decides a message, perhaps twice: its last result counts. */
type Begin = (settle: SettleMessage, queue: SenderQueue) => void;

/**
 * What another gateway acknowledged may not have arrived here yet: a grant, a delegation, an announced tool.
 * So this gateway asks the journal before it refuses, and decides again if there is more. Accepted messages
 * pay nothing for that.
 */
export interface RecheckBeforeRefusing {
  /**
   * Resolves when everything has arrived that was in the journal at the time of the call. One look serves all who ask
   * before it begins: strangers with unknown tokens cannot make the gateway ask more often.
   */
  look(): Promise<void>;
  decide(queue: SenderQueue, settle: SettleMessage, begin: Begin): void;
  /** All records up to this one have arrived. */
  reached(seq: number): void;
}

export interface RecheckOptions {
  readonly journal: Pick<Journal, 'lastSeq'>;
  readonly space: string;
  /** All records up to this one are known. */
  readonly seq: number;
  /** The journal could not be asked, or its records did not arrive. */
  readonly onFault: (error: unknown) => void;
}

export function createRecheckBeforeRefusing({
  journal,
  space,
  seq: known,
  onFault,
}: RecheckOptions): RecheckBeforeRefusing {
  const waiting = new Map<() => void, number>();
  let seq = known;
  let looking = Promise.resolve();
  let nextLook: Promise<void> | undefined;

  /**
   * Resolves when everything has arrived that was in the journal at the time of the call. Rejects if it does
   * not arrive.
   */
  async function catchUp(): Promise<void> {
    const last = await journal.lastSeq(space, seq + 1);
    if (last <= seq) return;
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(arrived);
        reject(new Error('records written by other gateways do not arrive'));
      }, ARRIVAL);
      const arrived = (): void => {
        clearTimeout(late);
        resolve();
      };
      waiting.set(arrived, last);
    });
  }

  async function ask(begin: Begin, queue: SenderQueue, { since, outcome, settle }: Refused): Promise<void> {
    const asked = Promise.all([queue.waiting, catchUp()]);
    // Later messages on the same line are decided after it.
    const turn = asked.catch(() => {});
    queue.waiting = turn;
    try {
      await asked;
    } catch (error) {
      onFault(error);
      return settle(batchOutcomeAfter(outcome, cannotAsk(error)));
    } finally {
      if (queue.waiting === turn) queue.waiting = undefined;
    }
    if (seq === since) settle(outcome);
    else begin((again) => settle(batchOutcomeAfter(outcome, again)), { ...queue, waiting: undefined });
  }

  return {
    look() {
      // A look that has begun may miss what was written since.
      nextLook ??= looking
        .catch(() => {})
        .then(() => {
          nextLook = undefined;
          looking = catchUp();
          return looking;
        });
      return nextLook;
    },
    decide(queue, settle, begin) {
      const since = seq;
      begin((outcome) => {
        if (isDoubtful(outcome)) void ask(begin, queue, { since, outcome, settle });
        else settle(outcome);
      }, queue);
    },
    reached(last) {
      seq = last;
      for (const [go, goal] of waiting) {
        if (goal > seq) continue;
        waiting.delete(go);
        go();
      }
    },
  };
}

/** Whether something was refused that another gateway may just have allowed. */
function isDoubtful(outcome: SpaceMessageOutcome): boolean {
  if (outcome.parts !== undefined)
    return outcome.parts.some((part) => part.status === 'refused' && mayBeOutdated(part.refusal));
  return outcome.status === 'refused' && mayBeOutdated(outcome.refusal);
}

interface Refused {
  /** What was known when it was decided. */
  readonly since: number;
  readonly outcome: SpaceMessageOutcome;
  readonly settle: SettleMessage;
}

/** Keeps the journal's code, but not its message, which may contain file names of the gateway. */
function cannotAsk(error: unknown): SpaceMessageOutcome {
  if (!(error instanceof JournalError) || error.refusal.code === 'unavailable') return notDecided(error);
  return { status: 'refused', refusal: refuse(error.refusal.code, 'The journal could not be read.') };
}
