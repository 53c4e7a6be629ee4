import { readMessage } from '@proffer/core';

/** As on the connections that are attacked: who sends no id is given one. */
const SENDING = { from: 'fuzz', now: Date.now(), newId: () => 'made-up' } as const;

/** Numbers from 0 to 1. */
export type Random = () => number;

const VALID = [
  '{"id":"m","kind":"mcp.proposal.tools/call","payload":{"method":"tools/call","params":{"name":"w","arguments":{"path":"/a","n":1.5}}}}',
  '{"protocol":"mcpx/v0.1","id":"m","ts":"2026-01-31T12:00:00Z","from":"fuzz","to":["a","b"],"kind":"chat.message","payload":{"text":"\\u00e9\\ud83d\\ude00"}}',
  '{"id":"m","kind":"mcp.request.tools/call","to":["tools"],"correlationId":["p1","p2"],"payload":{"method":"tools/call","params":{"name":"w"}}}',
  '{"protocol":"mew/v0.4","id":"m","kind":"mcp/proposal","payload":{"method":"tools/list","params":{}}}',
  '{"macp_version":"1.0","mode":"macp.mode.proposal.v1","message_type":"Proposal","message_id":"m","session_id":"none","payload":"e30="}',
] as const;

const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  'null',
  '1e999',
  '-',
  '-0',
  '\u0000',
  '\ud800',
  '\ufeff',
  '"__proto__":{},',
  '"id":"x",',
  '[[[[[[[[',
  '{"a":{"a":{"a":',
  '\\u12',
  '9007199254740993',
  'é'.repeat(50),
] as const;

/** One of some items. */
export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** A text that is not even JSON. */
export function brokenJson(random: Random): string {
  const text = brokenMessage(random);
  try {
    // HTTP bodies may begin with a byte order mark.
    JSON.parse(text.toWellFormed().replace(/^\ufeff/, ''));
    return text.slice(0, -1);
  } catch {
    return text;
  }
}

/** A text that is a message no longer, whatever was changed. */
export function brokenMessage(random: Random): string {
  let text: string = pick(random, VALID);
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
    const at = Math.floor(random() * text.length);
    const end = at + Math.floor(random() * 12);
    const put = random() < 0.5 ? '' : pick(random, PIECES);
    text = text.slice(0, at) + put + text.slice(random() < 0.7 ? end : at);
  }
  // Some changes do no harm.
  return readMessage(text.toWellFormed(), SENDING).ok ? text.slice(0, -1) : text;
}

/** Bytes that mean nothing. */
export function noise(random: Random, longest: number): Buffer {
  return Buffer.from(
    Array.from({ length: Math.floor(random() * longest) }, () => Math.floor(random() * 256)),
  );
}
