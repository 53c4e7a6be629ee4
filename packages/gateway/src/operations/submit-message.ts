import type { Envelope } from '@proffer/core';
import type { OperationRecord, SpaceDecision, SpaceState } from '@proffer/core/operations';
import { type LiveState, type SubmitOutcome, submit, submitLater } from '../host/index.js';
import type { Original, Originals } from './past/original.js';
import { firstRecord, type Removed } from './past/stored-proposal.js';
import {
  batchOutcomeAfter,
  batchOutcomeOf,
  conclusionOf,
  isPartly,
  notDecided,
  type PreparedMessage,
  refused,
  repeatedBatch,
  type SettleMessage,
  type SpaceMessageOutcome,
} from './space-message-outcome.js';
import type { SpaceRules } from './space-rules.js';

export interface SubmitMessageOptions {
  readonly live: LiveState<SpaceState, OperationRecord>;
  readonly rules: SpaceRules;
  readonly originals: Originals;
  /** The name of the space. */
  readonly space: string;
  /** Recalls what a message refers to; `undefined` if everything is in memory. */
  readonly prepare: (envelope: Envelope) => Promise<Removed> | undefined;
  readonly onFault: (error: unknown) => void;
}

/** Decides a message as often as necessary. `settle` is called once, when the outcome is certain; perhaps now. */
export type SubmitMessage = (message: PreparedMessage, settle: SettleMessage) => void;

/**
 * How often a message is decided again because its supposed original did not exist, or because not all parts of a batch
 * were certain.
 */
const MAX_REPEATS = 10;

/** What came before a message is decided again. */
interface Before {
  readonly repeats: number;
  /** Of a batch: which of its parts were accepted (O-35). */
  readonly earlier?: SpaceMessageOutcome | undefined;
}

const NOTHING_BEFORE: Before = { repeats: 0 };

/** A repeated message gets the first one's answer, or is the first after all (O-3, O-47). */
export function createSubmitMessage(options: SubmitMessageOptions): SubmitMessage {
  const { live, rules, originals, space, prepare, onFault } = options;

  function decide(message: PreparedMessage, settle: SettleMessage, given: Before): void {
    const { repeats } = given;
    let before = given;
    (repeats === 0 ? submit : submitLater)(live, rules, {
      message,
      attempt: 1,
      prepare: (late) => prepare(late.envelope)?.then((removed) => ({ ...late, removed })),
      onPartly: ({ parts }, { outcomes }) => {
        if (parts === undefined) return;
        before = { repeats, earlier: batchOutcomeAfter(before.earlier, batchOutcomeOf(parts, outcomes)) };
      },
      settle: (outcome) => {
        const concluded = conclusionOf(outcome, onFault);
        if (concluded === undefined) {
          const decision = outcome.status === 'answered' ? outcome.decision : undefined;
          return repeat(message, settle, { decision, before });
        }
        const whole = batchOutcomeAfter(before.earlier, concluded);
        // What a part of a batch was refused for may have been in flight.
        if (hasLanded(outcome) && isPartly(whole) && repeats < MAX_REPEATS)
          decide(message, settle, { repeats: repeats + 1, earlier: whole });
        else settle(whole);
      },
    });
  }

  function repeat(
    message: PreparedMessage,
    settle: SettleMessage,
    { decision, before }: { readonly decision: SpaceDecision | undefined; readonly before: Before },
  ): void {
    const { envelope } = message;
    const known = decision?.unchanged === undefined ? undefined : decision.originals;
    const repeated = known ?? firstRecord(space, envelope);
    const conclude = (found: SpaceMessageOutcome): void => {
      const { parts } = decision ?? {};
      const whole = parts === undefined ? found : repeatedBatch(parts, found);
      settle(batchOutcomeAfter(before.earlier, whole));
    };
    const recalled = originals.recall(envelope, repeated);
    if (recalled !== undefined) return conclude(recalled);
    void lookFor(envelope, repeated).then((found) => {
      if (found !== undefined) return conclude(found);
      if (before.repeats === MAX_REPEATS) return settle(refused('Too many concurrent writers; retry.'));
      return decide(message, settle, { ...before, repeats: before.repeats + 1 });
    });
  }

  async function lookFor(
    envelope: Envelope,
    repeated: readonly Original[],
  ): Promise<SpaceMessageOutcome | undefined> {
    return await originals.find(envelope, repeated).catch((error: unknown) => {
      onFault(error);
      return notDecided(error);
    });
  }

  return (message, settle) => decide(message, settle, NOTHING_BEFORE);
}

/** Whether all that was decided is in the journal. */
function hasLanded(outcome: SubmitOutcome<SpaceState, SpaceDecision>): boolean {
  return outcome.status === 'landed' && outcome.decided.outcomes.every(({ status }) => status === 'appended');
}
