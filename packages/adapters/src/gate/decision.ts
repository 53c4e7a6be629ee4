import { ConnectionClosedError, RefusedError } from '@proffer/client';
import type { OwnCallOutcome } from '@proffer/client/own-calls';
import { defined, isJsonObject, type JsonObject, type JsonValue, listOf, textOf } from '@proffer/core/json';
import { describeRejection, PLAIN } from '@proffer/core/words';

/** Why a call was not run, or must not be run now. */
export type BlockedCall = {
  /**
   * - `rejected`: someone rejected it, or the space's policy declined it.
   * - `expired`: no one decided in time.
   * - `cancelled`: the agent gave it up, or it was withdrawn.
   * - `refused`: the gateway refused the question.
   * - `unreachable`: the gateway could not be asked.
   * - `unknown`: it may have run, in a process that is gone. It is not run again.
   */
  readonly type: 'rejected' | 'expired' | 'cancelled' | 'refused' | 'unreachable' | 'unknown';
  /** A sentence for the model: what happened, and what to do. */
  readonly reason: string;
  /** The id of the proposal, if there is one. */
  readonly proposal?: string;
};

/** The call may run, once, with these arguments. */
export type ApprovedCall = {
  readonly type: 'approved';
  readonly proposal: string;
  /** Who approved it, or granted it before. */
  readonly by: string;
  /** The grant that allows it, if no one was asked. */
  readonly grant?: string;
  /** The arguments to run it with. If not edited, exactly those passed in. */
  readonly arguments: unknown;
  /** Whether the approver changed the arguments. */
  readonly edited: boolean;
};

/** The call already ran in another process of the agent, with this result. */
export type Ran =
  | { readonly type: 'ran'; readonly proposal: string; readonly output: unknown }
  | { readonly type: 'failed'; readonly proposal: string; readonly reason: string };

/** The gate does not ask about it. */
export type Allowed = { readonly type: 'allowed'; readonly arguments: unknown };

export type GateDecision = Allowed | ApprovedCall | Ran | BlockedCall;

/** Why a call must not run, as text for the model; `undefined` if it may run, or already ran. */
export function refusalIn(decision: GateDecision): string | undefined {
  return 'reason' in decision && decision.type !== 'failed' ? decision.reason : undefined;
}

/** Thrown instead of running a call. Its message is for the model. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError';
  readonly type: BlockedCall['type'];
  readonly proposal?: string;

  constructor({ type, reason, proposal }: BlockedCall) {
    super(reason);
    this.type = type;
    if (proposal !== undefined) this.proposal = proposal;
  }
}

/** The message for a call that another process started, or whose process is gone. */
export const MAY_HAVE_RUN =
  'Nobody knows whether this call ran: it was approved and started, but no result was recorded. It was not run again. Check its effects before you repeat it.';

export const CANCELLED = 'Not run: the agent stopped waiting before the call was decided.';

/** The outcome of a call that does not run here, as text for the model. */
export function decisionOf(outcome: OwnCallOutcome, proposal: string): Ran | BlockedCall {
  switch (outcome.type) {
    case 'ran': {
      const recorded = readRecordedOutput(outcome.result);
      return recorded === undefined ? notKept(proposal) : { type: 'ran', proposal, ...recorded };
    }
    case 'lost':
      return notKept(proposal);
    case 'failed':
      return { type: 'failed', proposal, reason: textOf(outcome.error['message']) };
    case 'rejected': {
      const said = outcome.rejections.map((rejection) => describeRejection(rejection, PLAIN));
      const why = outcome.why ?? said.join(' ');
      return { type: 'rejected', reason: `Not run. ${why} Do not try it again unchanged.`, proposal };
    }
    case 'expired':
      return { type: 'expired', reason: 'Not run: it was not decided in time.', proposal };
    case 'withdrawn':
    case 'denied': {
      const { reason = CANCELLED } = outcome;
      return {
        type: 'cancelled',
        reason: reason === CANCELLED ? reason : `Not run: withdrawn (${reason}).`,
        proposal,
      };
    }
    case 'unknown':
      return { type: 'unknown', reason: MAY_HAVE_RUN, proposal };
    case 'invalid':
      return refused(outcome.why, proposal);
    case 'unavailable':
      return notRun(outcome.cause ?? new Error(outcome.why), proposal);
  }
}

/** Why a call does not run; `undefined` if it has run. */
export function notRunIn(decision: Ran | BlockedCall): BlockedCall | undefined {
  return decision.type === 'ran' || decision.type === 'failed' ? undefined : decision;
}

/** Why nobody could be asked, as text for the model. */
export function notRun(error: unknown, proposal?: string): BlockedCall {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof RefusedError) return refused(detail, proposal);
  const isOurs = error instanceof ConnectionClosedError && error.reason === 'closed';
  if (isOurs) return { type: 'cancelled', reason: CANCELLED, ...defined({ proposal }) };
  const reason = `Not run: the gateway could not be asked. ${detail}`;
  return { type: 'unreachable', reason, ...defined({ proposal }) };
}

function refused(detail: string, proposal: string | undefined): BlockedCall {
  const reason = `Not run: the gateway did not accept the proposal. ${detail}`;
  return { type: 'refused', reason, ...defined({ proposal }) };
}

function notKept(proposal: string): BlockedCall {
  return { type: 'unknown', proposal, reason: 'This call ran, but its output was not kept.' };
}

/** The maximum recorded length of an output, in characters. */
const LONGEST = 200_000;

const TOO_LONG = 'The call ran. Its output was too long to be recorded.';

/** A call's result in the form of `tools/call`: people read the text, a later process the value. */
export function recordedOutput(output: unknown): JsonObject {
  let text: string | undefined;
  try {
    text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
  } catch {
    text = undefined;
  }
  if (text === undefined) return { content: [{ type: 'text', text: String(output).slice(0, LONGEST) }] };
  if (text.length > LONGEST)
    return { content: [{ type: 'text', text: `${text.slice(0, 1_000)}…\n${TOO_LONG}` }] };
  const value: JsonValue = typeof output === 'string' ? output : JSON.parse(text);
  return { content: [{ type: 'text', text }], structuredContent: { output: value } };
}

/** The result recorded by an earlier process; `undefined` if it was too long to keep. */
function readRecordedOutput(result: JsonValue): { readonly output: unknown } | undefined {
  if (!isJsonObject(result)) return undefined;
  const { structuredContent, content } = result;
  if (isJsonObject(structuredContent) && 'output' in structuredContent)
    return { output: structuredContent['output'] };
  // Any other answer has the form of a tool result.
  const [first] = listOf(content);
  const isKept =
    isJsonObject(first) && typeof first['text'] === 'string' && !first['text'].endsWith(TOO_LONG);
  return isKept ? { output: first['text'] } : undefined;
}
