import { quote } from '../../json/describe.js';
import { isJsonObject } from '../../json/json.js';
import { type Fault, fieldFault } from '../fault.js';
import { checkFilledText, checkObject, checkOptional, checkToolName } from '../field-checks.js';
import { contextParam, formatKind, isMethod, type Kind } from '../kind.js';
import type { PayloadCheck } from './payload-check.js';

/**
 * O-6: the payload asks for what the kind says: the same method, and the same tool, prompt or
 * resource if the kind names one. A method about a single thing must name it.
 */
export const checkMethod: PayloadCheck = ({ kind, payload }) => {
  const { method, params } = payload;
  if (!isMethod(method)) return fieldFault('payload.method', method, 'an MCP method, such as tools/call');
  const fault = checkOptional(checkObject, 'payload.params', params) ?? checkMethodOfKind(kind, method);
  if (fault !== undefined) return fault;

  const param = contextParam(method);
  if (param === undefined) return checkNoContext(kind);
  const field = `payload.params.${param}`;
  const name = isJsonObject(params) ? params[param] : undefined;
  const unnamed = (param === 'name' ? checkToolName : checkFilledText)(field, name);
  if (unnamed !== undefined || kind.context === undefined || kind.context === name) return unnamed;
  return { code: 'kind_mismatch', field, found: name, expected: `${quote(kind.context)}, as the kind says` };
};

function checkMethodOfKind(kind: Kind, method: string): Fault | undefined {
  if (kind.method === method) return undefined;
  if (kind.method === undefined) {
    const complete = formatKind({ ...kind, method });
    return fieldFault('kind', formatKind(kind), `the method in the kind too: ${complete}`);
  }
  const expected = `${quote(kind.method)}, as the kind says`;
  return { code: 'kind_mismatch', field: 'payload.method', found: method, expected };
}

/** The fault of a kind that names a tool, prompt or resource after a method that has none. */
export function checkNoContext(kind: Kind): Fault | undefined {
  if (kind.context === undefined || kind.method === undefined) return undefined;
  if (contextParam(kind.method) !== undefined) return undefined;
  const expected = `nothing after ${quote(kind.method)}, which is not about one tool, prompt or resource`;
  return { code: 'kind_mismatch', field: 'kind', found: formatKind(kind), expected };
}
