import { type Refusal, refuse } from '@proffer/core';
import { type JsonObject, textOf } from '@proffer/core/json';
import type { Draft } from './action.js';

/** `{ tool, arguments? }` is short for `{ method: "tools/call", params: { name, arguments } }`. */
export function composeProposal({ tool, arguments: given, to, ...payload }: JsonObject): Draft | Refusal {
  const { method, params } = payload;
  if (tool === undefined && method === undefined)
    return unclear('missing_field', 'The body names nothing to run.');
  if (tool !== undefined && (method !== undefined || params !== undefined)) {
    return unclear('invalid_field', 'The body has tool together with method or params.');
  }
  if (tool === undefined && given !== undefined) {
    return unclear('invalid_field', 'The body has arguments, but no tool.');
  }
  const called = {
    method: 'tools/call',
    params: { name: tool, ...(given === undefined ? {} : { arguments: given }) },
  };
  const operation = tool === undefined ? payload : { ...payload, ...called };
  return {
    kind: `mcp.proposal.${textOf(operation.method)}`,
    // Wrong fields are found when the message is parsed, as for every other message.
    ...(to === undefined ? {} : { to: to as Draft['to'] & object }),
    payload: operation,
  };
}

function unclear(code: 'missing_field' | 'invalid_field', what: string): Refusal {
  return refuse(code, what, { field: 'tool', expected: 'either tool and arguments, or method and params' });
}
