import type { JsonObject, JsonValue } from '../json/json.js';
import { isJsonObject } from '../json/json.js';

/** A parsed kind: `mcp.request.tools/call:read_file` is `mcp`, `request`, `tools/call`, `read_file`. */
export interface Kind {
  readonly protocol: string;
  readonly operation: string;
  /** An MCP method with its slashes, or the object of an operation (`proposal`, `tools`). */
  readonly method?: string;
  /** The tool, prompt or resource; may itself contain dots, slashes and colons. */
  readonly context?: string;
}

const LEVEL = /^[A-Za-z0-9_-]{1,64}$/;
const METHOD = /^[A-Za-z0-9_$-]+(?:[./][A-Za-z0-9_$-]+)*$/;
const LONGEST_KIND = 1024;
const LONGEST_METHOD = 256;

/** Whether a text can be METHOD in a kind: words joined by slashes or dots, at most 256 characters. */
export function isMethod(text: unknown): text is string {
  return typeof text === 'string' && text.length <= LONGEST_METHOD && METHOD.test(text);
}

/** Whether a text can be PROTOCOL or OPERATION in a kind: 1 to 64 letters, digits, `_` and `-`. */
export function isLevel(text: string): boolean {
  return LEVEL.test(text);
}

/**
 * Parses a dotted kind; `undefined` if it does not follow `PROTOCOL.OPERATION[.METHOD[:CONTEXT]]` or
 * has more than 1024 characters.
 */
export function parseKind(kind: string): Kind | undefined {
  const known = parsedKinds.get(kind);
  if (known !== undefined) return known;
  const parsed = takeApart(kind);
  if (parsed !== undefined && kind.length <= LONGEST_KEPT_KIND) {
    if (parsedKinds.size === MAX_KEPT_KINDS) parsedKinds.clear();
    parsedKinds.set(kind, parsed);
  }
  return parsed;
}

// The same few kinds recur, and each message's is needed several times. Senders choose some of them, so the cache is
// limited and cleared.
const parsedKinds = new Map<string, Kind>();
const MAX_KEPT_KINDS = 1000;
const LONGEST_KEPT_KIND = 200;

function takeApart(kind: string): Kind | undefined {
  if (kind.length > LONGEST_KIND) return undefined;
  const colon = kind.indexOf(':');
  const levels = colon === -1 ? kind : kind.slice(0, colon);
  const context = colon === -1 ? undefined : kind.slice(colon + 1);
  const firstDot = levels.indexOf('.');
  if (firstDot === -1) return undefined;
  const secondDot = levels.indexOf('.', firstDot + 1);
  const protocol = levels.slice(0, firstDot);
  const operation = levels.slice(firstDot + 1, secondDot === -1 ? undefined : secondDot);
  const method = secondDot === -1 ? undefined : levels.slice(secondDot + 1);
  if (!isLevel(protocol) || !isLevel(operation)) return undefined;
  if (method !== undefined && !isMethod(method)) return undefined;
  if (context !== undefined && (context === '' || method === undefined)) return undefined;
  return {
    protocol,
    operation,
    ...(method === undefined ? {} : { method }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Formats the kind. */
export function formatKind({ protocol, operation, method, context }: Kind): string {
  const name = method === undefined ? '' : `.${method}`;
  return `${protocol}.${operation}${name}${context === undefined ? '' : `:${context}`}`;
}

/** What the third level of a kind may be about, for methods that name one tool, prompt or resource. */
export type ServedList = 'tools' | 'prompts' | 'resources';

const CONTEXTS: Readonly<Record<string, { readonly param: 'name' | 'uri'; readonly list: ServedList }>> = {
  'tools/call': { param: 'name', list: 'tools' },
  'prompts/get': { param: 'name', list: 'prompts' },
  'resources/read': { param: 'uri', list: 'resources' },
  'resources/subscribe': { param: 'uri', list: 'resources' },
  'resources/unsubscribe': { param: 'uri', list: 'resources' },
};

/** What an operation is about: one tool, prompt or resource. */
export type Subject = {
  readonly list: ServedList;
  /** The tool's or prompt's name, the resource's URI. */
  readonly name: string;
};

/** The parameter that names the subject of a method (O-6), if it has one. */
export function contextParam(method: string): 'name' | 'uri' | undefined {
  return Object.hasOwn(CONTEXTS, method) ? CONTEXTS[method]?.param : undefined;
}

/** The tool, prompt or resource that a method with these params is about; `undefined` for other methods. */
export function subjectOf(method: string, params: JsonValue | undefined): Subject | undefined {
  const context = Object.hasOwn(CONTEXTS, method) ? CONTEXTS[method] : undefined;
  if (context === undefined || !isJsonObject(params)) return undefined;
  const name = params[context.param];
  return typeof name === 'string' ? { list: context.list, name } : undefined;
}

/**
 * The kind with its context filled in from the payload if the kind leaves it out (O-9), so that a
 * capability for one tool never extends to another by saying less.
 */
export function completeKind(kind: string, payload: JsonObject): string {
  const parsed = parseKind(kind);
  if (parsed?.protocol !== 'mcp' || parsed.method === undefined || parsed.context !== undefined) return kind;
  const subject = subjectOf(parsed.method, payload['params']);
  return subject === undefined ? kind : `${kind}:${subject.name}`;
}
