import type { JsonObject } from '@proffer/core/json';
import { textOf } from '../terminal/visible.js';

/** What the fields of messages are called on the command line. */
const WORDS: Readonly<Record<string, string>> = {
  id: '--id',
  to: '--to',
  correlation_id: 'the id',
  'payload.params': 'the arguments',
  'payload.ttl': '--ttl',
  'payload.reason': '--reason',
  'payload.message': '--message',
  'payload.digest': '--digest',
  'payload.depends_on': '--depends-on',
  'payload.on_failure': '--on-failure',
  'payload.method': '--method',
  'payload.capabilities': 'the capability',
  'payload.uses': '--uses',
  'payload.session': '--session',
  'payload.until': '--for',
  'payload.to': 'the name',
};

/** Where a command calls a field something else than the others. */
const OF_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mcpx.grant.capability': { 'payload.ttl': '--for' },
  'mcpx.delegate.review': { correlation_id: '--proposal' },
};

/** The sentence of a refusal with the field that it is about in the words of the command line. */
export function inCommandWords(message: string, details: JsonObject, kind: string): string {
  const field = textOf(details['field']);
  const [, name = '', rest = ''] = /^((?:payload\.)?\w+)(.*)$/s.exec(field) ?? [];
  const word = OF_KIND[kind]?.[name] ?? WORDS[name];
  if (word === undefined || !message.startsWith(`${field} `)) return message;
  // Which one of a list it is shows in what was found; which one of the arguments does not.
  const inside = rest.startsWith('.') ? `${rest.slice(1)} in ` : '';
  return `${inside}${word}${message.slice(field.length)}`.replace(/^the /, 'The ');
}
