import { describe } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';

/** An accepted message in words: its sender, then these. Not yet safe to print. */
export interface MessageWords {
  /** In the present tense: `accepts`. */
  readonly verb: string;
  /** The object of the sentence, right after the verb; empty if there is none. */
  readonly about: string;
  /** The sender's remarks; empty if there are none. */
  readonly said: string;
  readonly tone: 'good' | 'bad' | 'caution' | 'plain';
}

/** The generic description of a message: its type and its fields. */
export function wordsFromFields({ message_type, payload }: MacpEnvelope): MessageWords {
  const fields = Object.entries(payload).map(([name, value]) => `${name}: ${textOf(value)}`);
  return { verb: 'sends', about: message_type, said: fields.join(', '), tone: 'plain' };
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : describe(value);
}
