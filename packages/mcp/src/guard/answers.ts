import { type Edited, notRunError, type OwnCallOutcome } from '@proffer/client/own-calls';
import type { OperationFailedError, ProposalRejection } from '@proffer/client/participation';
import {
  type Change,
  defined,
  type JsonObject,
  type JsonValue,
  listOf,
  makeVisible,
  quote,
} from '@proffer/core/json';
import { describeRejection, PLAIN } from '@proffer/core/words';
import { INTERNAL_ERROR, objectAt, type RpcAnswer, textAt } from '../json-rpc.js';
import type { GuardedToolCall } from './tool-call.js';
import { ACCEPT_TOOL, WAIT_TOOL } from './wait-tool.js';

/** The key under which a result repeats, for programs, what its text says. */
export const OUTCOME_KEY = 'proffer/outcome';

/** What is known about the answered call. */
export interface AnswerContext extends Pick<GuardedToolCall, 'isModern'> {
  readonly tool: string;
  readonly proposal?: string;
  /**
   * When the earlier call was made, if this is a repeat whose caller may not have received its outcome; ms
   * since 1970.
   */
  readonly madeBefore?: number;
}

/** What is known about a proposed call. */
export function contextOf(
  { tool, isModern }: Pick<GuardedToolCall, 'tool' | 'isModern'>,
  { id }: { readonly id: string },
) {
  return { tool, isModern, proposal: id };
}

/**
 * What a caller gets: the server's own result, after a block that says what was changed, if something
 * was; for everything but a run, a completed result with `isError`, the code and the reason. Never a
 * protocol error, except one that the server itself answered with.
 */
export function answerFor(outcome: OwnCallOutcome, context: AnswerContext): RpcAnswer {
  const earlier = earlierText(context);
  if (outcome.type === 'failed') {
    const error = withEditInMessage(outcome.error, outcome);
    return {
      error: earlier === undefined ? error : { ...error, message: `${earlier}\n${textAt(error, 'message')}` },
    };
  }
  if (outcome.type === 'ran') {
    const result = withEdit(outcome.result, outcome);
    return { result: earlier === undefined ? result : withEarlier(result, earlier, context) };
  }
  const edit = outcome.type === 'unknown' || outcome.type === 'lost' ? editText(outcome) : undefined;
  const text = [earlier, edit, sentenceFor(outcome, context)].filter((said) => said !== undefined).join('\n');
  return { result: refusalResult(outcome.type, text, context) };
}

/** The denial of a call by the rules. */
export function deniedResult(reason: string, rule: string | undefined, context: AnswerContext): JsonObject {
  const which = rule === undefined ? "the rules' default" : rule;
  const text = `Denied: ${quote(context.tool)} was not run. ${reason} (${which}) Calling it again will not help; do something else, or ask whoever maintains the rules.`;
  return refusalResult('denied', text, context);
}

/**
 * The answer for someone who cannot be kept waiting any longer. An ordinary result, unless the tool promises structured
 * output, which only a result with `isError` may leave out.
 */
export function stillWaitingResult(
  context: AnswerContext & { readonly proposal: string; readonly promisesStructure: boolean },
  waitsFor: string,
): JsonObject {
  const { tool, proposal, promisesStructure } = context;
  const text = `${quote(tool)} has not run yet: ${waitsFor} Call the tool ${WAIT_TOOL} with {"proposal": "${proposal}"} to wait for the decision and get the result. Calling ${quote(tool)} again with the same arguments waits for the same decision; nobody is asked twice.`;
  return resultOf(text, {
    code: 'pending',
    proposal,
    isModern: context.isModern,
    isError: promisesStructure,
  });
}

/** A counter-offer, as far as the caller is told about it. */
export interface OfferedEdit extends Edited {
  /** The id to accept it by. */
  readonly id: string;
  readonly reason: string;
}

/**
 * The answer for someone who waits while a reviewer offers something else (O-40): what it changes, and how to accept
 * it.
 */
export function offeredResult(
  context: AnswerContext & { readonly proposal: string; readonly promisesStructure: boolean },
  { id, by, reason, edit }: OfferedEdit,
): JsonObject {
  const { tool, proposal, promisesStructure } = context;
  const text = [
    `${quote(tool)} has not run. ${makeVisible(by)} offers to run it with different arguments instead: ${makeVisible(reason)}`,
    ...edit.map(changeText),
    `To accept exactly that and get its result, call the tool ${ACCEPT_TOOL} with {"proposal": "${proposal}", "counter": "${id}"}. Otherwise call ${WAIT_TOOL} with {"proposal": "${proposal}"} to keep waiting.`,
  ].join('\n');
  return resultOf(text, {
    code: 'countered',
    proposal,
    isModern: context.isModern,
    isError: promisesStructure,
  });
}

/** A completed result that says why the tool did not run, or that it is unknown whether it did. */
export function refusalResult(code: string, text: string, context: AnswerContext): JsonObject {
  return resultOf(text, { code, ...context, isError: true });
}

function resultOf(
  text: string,
  about: Omit<AnswerContext, 'tool'> & { readonly code: string; readonly isError: boolean },
): JsonObject {
  const { code, isModern, isError } = about;
  return {
    ...(isModern ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text }],
    ...(isError ? { isError } : {}),
    _meta: { [OUTCOME_KEY]: outcomeMeta(code, about) },
  };
}

function outcomeMeta(code: string, { proposal, madeBefore }: Omit<AnswerContext, 'tool'>): JsonObject {
  return {
    code,
    ...defined({ proposal }),
    ...(madeBefore === undefined ? {} : { madeAt: new Date(madeBefore).toISOString() }),
  };
}

/** For a caller that may have received it already, and may mean a second call. */
function earlierText({ tool, madeBefore }: AnswerContext): string | undefined {
  if (madeBefore === undefined) return undefined;
  const when = new Date(madeBefore).toISOString();
  return `Not asked again: ${quote(tool)} was called with the same arguments at ${when}. The caller may not have received the outcome, so here it is. Nothing was run now. To run it a second time, call it again: that asks for a new decision.`;
}

function withEarlier(result: JsonObject, text: string, context: AnswerContext): JsonObject {
  const { content } = result;
  return {
    ...result,
    content: [{ type: 'text', text }, ...listOf(content)],
    _meta: { ...objectAt(result, '_meta'), [OUTCOME_KEY]: outcomeMeta('ran', context) },
  };
}

function sentenceFor(
  outcome: Exclude<OwnCallOutcome, { type: 'ran' | 'failed' }>,
  { tool }: AnswerContext,
): string {
  const what = quote(tool);
  switch (outcome.type) {
    case 'rejected':
      return outcome.why === undefined
        ? `Rejected: ${what} was not run. ${outcome.rejections.map(rejectionText).join(' ')}`.trimEnd()
        : `Declined: ${what} was not run. ${outcome.why}`;
    case 'expired':
      return `Expired: ${what} was not run. It was not decided in time. Ask again if it is still needed.`;
    case 'withdrawn':
      return `Withdrawn: ${what} was not run${outcome.reason === undefined ? '' : ` (${makeVisible(outcome.reason)})`}. Nobody rejected it.`;
    case 'denied':
      return `Denied: ${what} was not run. It was approved with changed arguments that the rules do not allow: ${outcome.reason}`;
    case 'unknown':
      return `Unknown: ${what} was approved and started, but nobody knows how it ended: ${sentence(outcome.why)} It may or may not have run. It is not run again automatically. Check its effects before you call ${what} again: that asks for a new decision and may run it a second time.`;
    case 'lost':
      return `Lost: ${what} was approved and ran${outcome.isError ? ', and the server called its result an error' : ''}. Its result was too long to keep (${outcome.characters} characters). Check the effects of the call, and look in the history for what was approved. It is not run again automatically. Calling ${what} again asks for a new decision and runs it a second time.`;
    case 'invalid':
      return `Invalid: ${what} was not run, and nobody was asked: ${outcome.why}`;
    case 'unavailable':
      return outcome.isApproved === true
        ? `Unavailable: ${what} was approved, but the server did not accept it: ${outcome.why} Nothing was run. Calling ${what} again asks for a new decision.`
        : `Unavailable: ${what} was not run, because nobody could be asked: ${outcome.why}`;
  }
}

function sentence(why: string): string {
  return /[.!?]$/.test(why) ? why : `${why}.`;
}

function rejectionText(rejection: ProposalRejection): string {
  return describeRejection(rejection, { ...PLAIN, text: quoteLong });
}

/** What was actually run; `undefined` if it is what was asked for. */
function editText({ edit = [], by = '' }: Partial<Edited>): string | undefined {
  if (edit.length === 0) return undefined;
  return `Not run as asked: ${makeVisible(by)} changed the arguments before approving.\n${edit.map(changeText).join('\n')}`;
}

/** The result with what was actually run in front of it. */
function withEdit(result: JsonObject, edited: Edited): JsonObject {
  const said = editText(edited);
  if (said === undefined) return result;
  const { content } = result;
  const text = `${said}\nWhat follows is the result of the changed call.`;
  return { ...result, content: [{ type: 'text', text }, ...listOf(content)] };
}

/** In an error, only the message can say what was actually run. */
function withEditInMessage(error: JsonObject, edited: Partial<Edited>): JsonObject {
  const said = editText(edited);
  if (said === undefined) return error;
  return {
    ...error,
    message: `${said}\nThe changed call was answered with an error: ${textAt(error, 'message')}`,
  };
}

function changeText({ path, before, after }: Change): string {
  return `- ${path === '' ? 'all arguments' : makeVisible(path.slice(1))}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? '(absent)' : quoteLong(JSON.stringify(value));
}

const LONGEST = 2_000;

/** Text from others, with hidden characters made visible, cut to a readable length. */
function quoteLong(text: string): string {
  const short =
    text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}… (${text.length} characters)`;
  return makeVisible(short);
}

/** The answer to a call of a tool that cannot be announced, and so cannot be approved. */
export function notListed(call: GuardedToolCall): JsonObject {
  const text =
    'Nothing was run. The server does not list this tool (or lists too many tools), and too many unlisted tools have been called already.';
  return refusalResult('unavailable', text, call);
}

/** The answer to a caller that waits for an unknown call. */
export function unknownCall(asked: GuardedToolCall): JsonObject {
  const text = 'No call is waiting under this id. Use the id that the tool answered with.';
  return refusalResult('unknown_proposal', text, { ...asked, tool: WAIT_TOOL });
}

/** The answer to a caller that accepts what can no longer be accepted. */
export function notAccepted(asked: GuardedToolCall, cause: unknown): JsonObject {
  const why = cause instanceof Error ? cause.message : String(cause);
  return refusalResult('not_accepted', `Nothing was run: ${why}`, { ...asked, tool: ACCEPT_TOOL });
}

/** The error that a caller gets where the guard itself failed. */
export function wentWrong(cause: unknown): JsonObject & { readonly message: string } {
  const why = cause instanceof Error ? cause.message : String(cause);
  return { code: INTERNAL_ERROR, message: `Something went wrong inside the guard: ${why}` };
}

const WRONG_PLACE = 'the call was approved in a place where it cannot run';

/** Someone asked for a call that has no proposal. */
export function notProposed(): OperationFailedError {
  const text =
    'Nothing was run: this call was not proposed. A tool behind a guard runs only when a proposal to call it is approved.';
  return notRunError(text, WRONG_PLACE);
}

/** Someone approved a call for another server, whose guard had the same name. */
export function notThisServer(): OperationFailedError {
  const text =
    'Nothing was run: this call was proposed for another server (another command, arguments, folder or address) whose guard had the same name. Start that guard again and repeat the call; give the two guards different names with --name.';
  return notRunError(text, WRONG_PLACE);
}

/** Someone approved a call that the server certainly did not accept. */
export function notTaken(why: string): OperationFailedError {
  return notRunError(`Nothing was run: the server did not accept the call. ${why}`, why);
}
