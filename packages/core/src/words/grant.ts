import type { CapabilitySource } from '../capability/capability.js';
import { objectOf } from '../json/fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { verbOf } from './operation.js';
import { allOf, count, describeLength, type Voice } from './voice.js';

/** What the well-known capabilities allow, by the pattern that grants them. */
const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^\*$/, 'do everything'],
  [/^mcp\.\*$/, 'propose, approve and answer everything'],
  [/^mcp\.request\.\*$/, 'run and approve any operation'],
  [/^mcp\.request\./, 'run and approve'],
  [/^mcp\.proposal\.\*$/, 'propose any operation'],
  [/^mcp\.proposal\./, 'propose'],
  [/^mcp\.response\./, 'answer requests'],
  [/^mcpx\.announce\./, 'announce the tools it serves'],
  [/^mcpx\.reject\.proposal$/, 'reject proposals'],
  [/^mcpx\.withdraw\.proposal$/, 'withdraw its own proposals'],
  [/^mcpx\.status\.proposal$/, 'report progress'],
  [/^mcpx\.approve\.proposal$/, 'approve proposals'],
  [/^mcpx\.counter\.proposal$/, 'make counter-offers'],
  [/^mcpx\.accept\.counter$/, 'accept counter-offers'],
  [/^mcpx\.renew\.proposal$/, 'extend its own proposals'],
  [/^mcpx\.delegate\.review$/, 'delegate reviews'],
  [/^mcpx\.grant\.capability$/, 'grant others what it may do itself'],
  [/^mcpx\.revoke\.capability$/, 'revoke grants'],
  [/^chat\./, 'chat'],
];

/** What a capability allows; one that is not well known is to be shown as it is written, too. */
export function describeCapability(capability: JsonValue): string {
  const kind = isJsonObject(capability) ? capability['kind'] : capability;
  const found = typeof kind === 'string' ? WORDS.find(([pattern]) => pattern.test(kind)) : undefined;
  return found === undefined ? 'send' : found[1];
}

/** The call that a granted capability allows: `run write_file where path is "/a"`; `undefined` for any other. */
export function describeGranted(capability: CapabilitySource, voice: Voice): string | undefined {
  const { kind, payload = {} } = typeof capability === 'string' ? { kind: capability } : capability;
  const [, method = '', name] = /^mcp\.request\.([^:]+):(.+)$/.exec(kind) ?? [];
  if (name === undefined) return undefined;
  const { params, ...others } = payload;
  const { arguments: bound, ...rest } = objectOf(params);
  if (Object.keys(others).length + Object.keys(rest).length > 0) return undefined;
  return `${verbOf(method)} ${voice.text(name)}${describeBound(objectOf(bound), voice)}`;
}

/** The arguments that a call must have: ` where path is "/a"`; empty if any will do. */
export function describeBound(bound: JsonObject, { text }: Voice): string {
  const conditions = Object.entries(bound).map(([key, value]) => {
    const isPattern = typeof value === 'string' ? value.includes('*') : typeof value === 'object';
    return `${text(key)} ${isPattern ? 'matches' : 'is'} ${text(JSON.stringify(value))}`;
  });
  return conditions.length === 0 ? '' : ` where ${allOf(conditions)}`;
}

/** For how long, or how often, something is granted (O-41). Times in milliseconds. */
export interface GrantBounds {
  readonly for?: number | undefined;
  readonly uses?: number | undefined;
  /** True: until it disconnects. A text: in that session of its agent. */
  readonly session?: string | boolean | undefined;
}

/** `up to 5 times in the next hour`. */
export function describeBounds({ for: span, uses, session }: GrantBounds, { text }: Voice): string {
  const next = span === undefined ? '' : describeLength(span).replace(/^1 /, '');
  const bounds = [
    ...(uses === undefined ? [] : [`up to ${count(uses, 'time')}`]),
    ...(next === '' ? [] : [`in the next ${next}`]),
    ...(typeof session === 'string' ? [`in the session ${text(session)}`] : []),
  ];
  if (session === true || bounds.length === 0) bounds.push('until it disconnects');
  return bounds.join(' ');
}
