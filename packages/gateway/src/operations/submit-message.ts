import type { Envelope } from '@proffer/core';
import type { OperationRecord, SpaceDecision, SpaceState } from '@proffer/core/operations';
import { type LiveState, type SubmitOutcome, type Submitting, submit, submitLater } from '../host/index.js';
import type { Original, Originals } from './past/original.js';
import { firstRecord, type Removed } from './past/stored-proposal.js';
import {
  batchOutcomeAfter,
  batchOutcomeOf,
  conclusionOf,
  type Incoming,
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
  /** Called for each message, before anyone is told of its outcome. */
  readonly onSettled: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Decides a message as often as necessary. `settle` is called once, when the outcome is certain; perhaps now. */
export type SubmitMessage = (incoming: Incoming, removed: Removed, settle: SettleMessage) => void;

/** A message, who is told, and what came before it is decided again. */
interface Submitted extends PreparedMessage {
  readonly settle: SettleMessage;
  repeats: number;
  /** Of a batch: which of its parts were accepted (O-35). */
  earlier: SpaceMessageOutcome | undefined;
}

/**
 * How often a message is decided again because its supposed original did not exist, or because not all parts of a batch
 * were certain.
 */
const MAX_REPEATS = 10;

/** A repeated message gets the first one's answer, or is the first after all (O-3, O-47). */
export function createSubmitMessage(options: SubmitMessageOptions): SubmitMessage {
  const { live, rules, originals, space, prepare, onSettled, onFault } = options;
  const submitting: Submitting<SpaceState, OperationRecord, Submitted, SpaceDecision> = {
    live,
    rules,
    prepare: (message) => prepare(message.envelope)?.then((removed) => ({ ...message, removed })),
    onPartly(message, { parts }, { outcomes }) {
      if (parts !== undefined)
        message.earlier = batchOutcomeAfter(message.earlier, batchOutcomeOf(parts, outcomes));
    },
    settle(message, outcome) {
      const concluded = conclusionOf(outcome, onFault);
      if (concluded === undefined)
        return repeat(message, outcome.status === 'answered' ? outcome.decision : undefined);
      const whole = batchOutcomeAfter(message.earlier, concluded);
      // What a part of a batch was refused for may have been in flight.
      if (hasLanded(outcome) && isPartly(whole) && message.repeats < MAX_REPEATS) again(message, whole);
      else tell(message, whole);
    },
  };

  function tell({ settle }: Submitted, outcome: SpaceMessageOutcome): void {
    onSettled();
    settle(outcome);
  }

  function again(message: Submitted, earlier: SpaceMessageOutcome | undefined): void {
    message.repeats++;
    message.earlier = earlier;
    submitLater(submitting, message);
  }

  function repeat(message: Submitted, decision: SpaceDecision | undefined): void {
    const { envelope, earlier } = message;
    const known = decision?.unchanged === undefined ? undefined : decision.originals;
    const repeated = known ?? firstRecord(space, envelope);
    const conclude = (found: SpaceMessageOutcome): void => {
      const { parts } = decision ?? {};
      const whole = parts === undefined ? found : repeatedBatch(parts, found);
      tell(message, batchOutcomeAfter(earlier, whole));
    };
    const recalled = originals.recall(envelope, repeated);
    if (recalled !== undefined) return conclude(recalled);
    void lookFor(envelope, repeated).then((found) => {
      if (found !== undefined) return conclude(found);
      if (message.repeats === MAX_REPEATS)
        return tell(message, refused('Too many concurrent writers; retry.'));
      return again(message, earlier);
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

  return ({ envelope, sender, grant, check, newToken, newKey }, removed, settle) => {
    const repeats = 0;
    const earlier = undefined;
    // Field by field: engines are slow to add to a copy.
    submit(submitting, {
      envelope,
      sender,
      grant,
      check,
      newToken,
      newKey,
      removed,
      settle,
      repeats,
      earlier,
    });
  };
}

/** Whether all that was decided is in the journal. */
function hasLanded(outcome: SubmitOutcome<SpaceState, SpaceDecision>): boolean {
  return outcome.status === 'landed' && outcome.decided.outcomes.every(({ status }) => status === 'appended');
}
