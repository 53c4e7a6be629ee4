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

/** Where one command uses another word for a field. */
const OF_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mcpx.grant.capability': { 'payload.ttl': '--for' },
  'mcpx.delegate.review': { correlation_id: '--proposal' },
};

/** The message of a refusal, with its field in the words of the command line. */
export function inCommandWords(message: string, details: JsonObject, kind: string): string {
  const field = textOf(details['field']);
  const [, name = '', rest = ''] = /^((?:payload\.)?\w+)(.*)$/s.exec(field) ?? [];
  const word = OF_KIND[kind]?.[name] ?? WORDS[name];
  if (word === undefined || !message.startsWith(`${field} `)) return message;
  // The found value shows which item of a list is meant, but not which argument.
  const inside = rest.startsWith('.') ? `${rest.slice(1)} in ` : '';
  return `${inside}${word}${message.slice(field.length)}`.replace(/^the /, 'The ');
}
