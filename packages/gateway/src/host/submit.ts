import type { RecordContent } from '@proffer/core/records';
import type { Append } from '@proffer/journal';
import type { DecisionInFlight } from './append-batch.js';
import type { LiveState } from './live-state.js';

/** A decision: what to append, or, without that, an answer that leaves no trace. */
export interface RecordableDecision {
  readonly appends?: readonly Append[] | undefined;
  /** Whether each append counts only if those before it do. Default: each stands alone. */
  readonly inOrder?: boolean | undefined;
  /** For an answer: what it depends on and has to be appended first. Then it is decided again. */
  readonly dueAppends?: readonly Append[] | undefined;
}

/** The outcome of a message, reported once it is certain. */
export type SubmitOutcome<State, Decision> =
  /** All of it was appended, or could not be. */
  | {
      readonly status: 'landed';
      readonly decided: DecisionInFlight<State>;
      readonly before: State;
      readonly decision: Decision;
    }
  /** The message leaves no trace (I-5), on a durable state. */
  | { readonly status: 'answered'; readonly decision: Decision; readonly state: State }
  /** Others were first each time. */
  | { readonly status: 'outrun' }
  /** The message could not be processed. */
  | { readonly status: 'failed'; readonly error: unknown };

/** The rules for deciding messages. Pure. */
export interface Rules<State, Message, Decision extends RecordableDecision> {
  decide(state: State, message: Message): Decision;
  /**
   * The answer for a decision that appends nothing while something is in flight; `undefined` if it has to
   * wait for that, which may still fail (I-1).
   *
   * @param onDurable - the decision on the durable state
   */
  confirm(decision: Decision, onDurable: () => Decision): Decision | undefined;
}

/** How messages are decided, and who is told: the same for all messages, so that one message needs little. */
export interface Submitting<
  State,
  Content extends RecordContent,
  Message,
  Decision extends RecordableDecision,
> {
  readonly live: LiveState<State, Content>;
  readonly rules: Rules<State, Message, Decision>;
  /** Called once for each message, perhaps synchronously. Must not throw: others wait after it. */
  readonly settle: (message: Message, outcome: SubmitOutcome<State, Decision>) => void;
  /**
   * Reloads what the message needs and was evicted from memory while it waited, and returns the message with it.
   * `undefined` if everything is in memory, which is nearly always so. Default: nothing is ever evicted.
   */
  readonly prepare?: ((message: Message) => Promise<Message> | undefined) | undefined;
  /** Called with a decision of which only a part was appended, before it is decided again. Default: nothing. */
  readonly onPartly?: (message: Message, decision: Decision, decided: DecisionInFlight<State>) => void;
}

/** How often a message is decided again, because someone else was faster, or its basis was rolled back. */
const MAX_ATTEMPTS = 10;

/**
 * Decides a message ahead of the disk, as often as necessary: on the state that decisions in flight will
 * leave, and again if those, or the message itself, fail.
 */
export function submit<State, Content extends RecordContent, Message, Decision extends RecordableDecision>(
  submitting: Submitting<State, Content, Message, Decision>,
  message: Message,
  attempt = 1,
): void {
  const { live, rules } = submitting;
  if (live.isRefreshing) return void live.nextFlush().then(() => submitLater(submitting, message, attempt));
  if (attempt > MAX_ATTEMPTS) return submitting.settle(message, { status: 'outrun' });
  const before = live.newest;
  const { durable } = live;
  let decision: Decision;
  let certain: Decision | undefined;
  try {
    decision = rules.decide(before, message);
    if (decision.appends === undefined && decision.dueAppends === undefined) {
      certain = durable === before ? decision : rules.confirm(decision, () => rules.decide(durable, message));
    }
  } catch (error) {
    // An internal error in one message must not affect the others.
    return submitting.settle(message, { status: 'failed', error });
  }
  if (decision.appends !== undefined) {
    const conclude = (decided: DecisionInFlight<State>): void => {
      if (isCertain(decided))
        return submitting.settle(message, { status: 'landed', decided, before, decision });
      submitting.onPartly?.(message, decision, decided);
      submitLater(submitting, message, attempt + 1);
    };
    if (decision.inOrder === true) return live.appendInOrder(decision.appends, conclude);
    return live.append(decision.appends, conclude);
  }
  if (decision.dueAppends !== undefined)
    return live.append(decision.dueAppends, (decided) => {
      const isUnavailable = decided.outcomes.some(({ status }) => status === 'unavailable');
      if (isUnavailable) submitting.settle(message, { status: 'landed', decided, before, decision });
      else submitLater(submitting, message, attempt + 1);
    });
  // What it depends on may be in flight, and the durable state still without it.
  if (certain !== undefined && certain.dueAppends === undefined)
    submitting.settle(message, { status: 'answered', decision: certain, state: durable });
  else void live.nextFlush().then(() => submitLater(submitting, message, attempt + 1));
}

/** {@link submit} for a message that has waited since it was prepared. */
export function submitLater<
  State,
  Content extends RecordContent,
  Message,
  Decision extends RecordableDecision,
>(submitting: Submitting<State, Content, Message, Decision>, message: Message, attempt = 1): void {
  const preparing = submitting.prepare?.(message);
  if (preparing === undefined) return submit(submitting, message, attempt);
  preparing.then(
    (prepared) => submit(submitting, prepared, attempt),
    (error: unknown) => submitting.settle(message, { status: 'failed', error }),
  );
}

/** Whether the outcome of all of it is known: not if it has to be decided again. */
function isCertain<State>({ outcomes }: DecisionInFlight<State>): boolean {
  const [only] = outcomes;
  // Nearly always.
  if (outcomes.length === 1) return only?.status !== 'conflict';
  if (outcomes.some(({ status }) => status === 'unavailable')) return true;
  return outcomes.length > 0 && !outcomes.some(({ status }) => status === 'conflict');
}
