import type { JsonObject } from '@proffer/core/json';
import { INTERNAL_ERROR } from '../../json-rpc.js';
import type { GuardedToolCall } from '../asked/index.js';
import { ACCEPT_TOOL, WAIT_TOOL } from '../wait-tool.js';
import { refusalResult } from './answers.js';

/** The answer to a call of a tool that cannot be announced, and so cannot be approved. */
export function notListed(call: GuardedToolCall): JsonObject {
  const text =
    'The server does not list this tool, or lists too many, and too many such tools were called. Nothing was run.';
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
