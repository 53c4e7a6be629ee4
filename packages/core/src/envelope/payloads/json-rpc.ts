import { quote } from '../../json/describe.js';
import { isJsonObject, type JsonValue } from '../../json/json.js';
import {
  checkFilledText,
  checkObject,
  checkOptional,
  checkText,
  checkToolName,
  type Fault,
  fieldFault,
} from '../field-checks.js';
import { contextParam, formatKind, isMethod, type Kind } from '../kind.js';
import { checkSignature } from './keys.js';
import { checkSomeCorrelation, type PayloadCheck } from './payload-check.js';

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
function checkNoContext(kind: Kind): Fault | undefined {
  if (kind.context === undefined || kind.method === undefined) return undefined;
  if (contextParam(kind.method) !== undefined) return undefined;
  const expected = `nothing after ${quote(kind.method)}, which is not about one tool, prompt or resource`;
  return { code: 'kind_mismatch', field: 'kind', found: formatKind(kind), expected };
}

/** `mcp.request.METHOD[:CONTEXT]`: a JSON-RPC request, or a notification if it has no id. */
export const checkRequest: PayloadCheck = (message) =>
  checkVersion(message.payload['jsonrpc']) ??
  checkRpcId(message.payload['id']) ??
  checkOptional(checkSignature, 'payload.signature', message.payload['signature']) ??
  checkMethod(message);

/**
 * `mcp.response[.METHOD[:CONTEXT]]`: a JSON-RPC response, with the request's envelope id as
 * `correlationId`, perhaps among the ids of other messages. It has no method to compare with the
 * kind; if a sender includes one, the two must agree.
 */
export const checkResponse: PayloadCheck = (message) => {
  const { kind, payload } = message;
  const { error, result, method } = payload;
  const fault =
    checkVersion(payload['jsonrpc']) ??
    (payload['id'] === null && error !== undefined ? undefined : checkRpcId(payload['id'])) ??
    checkOutcome(result, error) ??
    checkSomeCorrelation(message) ??
    checkNoContext(kind);
  if (fault !== undefined || kind.method === undefined || method === undefined || method === kind.method) {
    return fault;
  }
  const expected = `${quote(kind.method)}, as the kind says`;
  return { code: 'kind_mismatch', field: 'payload.method', found: method, expected };
};

function checkVersion(version: JsonValue | undefined): Fault | undefined {
  return version === undefined || version === '2.0'
    ? undefined
    : fieldFault('payload.jsonrpc', version, '"2.0", or no such field');
}

/** An integer over 2^53 has been rounded by now, and would not be the id its sender waits for. */
function checkRpcId(id: JsonValue | undefined): Fault | undefined {
  if (id === undefined || typeof id === 'string') return undefined;
  if (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER) return undefined;
  return fieldFault('payload.id', id, 'a string, or a number of at most 2^53 - 1');
}

function checkOutcome(result: JsonValue | undefined, error: JsonValue | undefined): Fault | undefined {
  if (error === undefined) {
    return result === undefined ? fieldFault('payload.result', result, 'a result or an error') : undefined;
  }
  if (result !== undefined)
    return fieldFault('payload.error', error, 'either a result or an error, not both');
  const notObject = checkObject('payload.error', error);
  if (notObject !== undefined || !isJsonObject(error)) return notObject;
  const { code } = error;
  // MCP uses numbers here. Some servers send a word instead, and the caller should see it.
  return Number.isSafeInteger(code) || (typeof code === 'string' && code !== '')
    ? checkText('payload.error.message', error['message'])
    : fieldFault('payload.error.code', code, 'a whole number or a word');
}
