import { isJsonObject, type JsonValue } from '@proffer/core/json';

/** What the well-known capabilities allow, by the pattern that grants them. */
const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^\*$/, 'do everything'],
  [/^mcp\.\*$/, 'propose, approve and answer everything'],
  [/^mcp\.request\.\*$/, 'run and approve any operation'],
  [/^mcp\.request\./, 'run and approve'],
  [/^mcp\.proposal\.\*$/, 'propose any operation'],
  [/^mcp\.proposal\./, 'propose'],
  [/^mcp\.response\./, 'answer requests'],
  [/^mcpx\.announce\./, 'announce what it serves'],
  [/^mcpx\.reject\.proposal$/, 'reject proposals'],
  [/^mcpx\.withdraw\.proposal$/, 'withdraw its own proposals'],
  [/^mcpx\.status\.proposal$/, 'report how it is going'],
  [/^mcpx\.approve\.proposal$/, 'approve proposals'],
  [/^mcpx\.counter\.proposal$/, 'make counter-offers'],
  [/^mcpx\.accept\.counter$/, 'accept counter-offers'],
  [/^mcpx\.renew\.proposal$/, 'extend its own proposals'],
  [/^mcpx\.delegate\.review$/, 'hand reviews to others'],
  [/^mcpx\.grant\.capability$/, 'grant what it may do itself'],
  [/^mcpx\.revoke\.capability$/, 'revoke grants'],
  [/^chat\./, 'chat'],
];

/** A capability as text, for the well-known ones. */
export function capabilityInWords(capability: JsonValue): string {
  const kind = isJsonObject(capability) ? capability['kind'] : capability;
  if (typeof kind !== 'string') return 'send';
  const found = WORDS.find(([pattern]) => pattern.test(kind));
  return found === undefined ? 'send' : found[1];
}
