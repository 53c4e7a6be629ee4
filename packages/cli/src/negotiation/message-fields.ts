import { type Acknowledgement, MacpError } from '@proffer/client/negotiation';
import { REFUSALS } from '@proffer/core';
import type { JsonObject, JsonValue } from '@proffer/core/json';
import { findMode, type MessageField, messageFields } from '@proffer/core/negotiation';
import { parseObject, parseValue } from '../arguments.js';
import { usageFailure } from '../command-failure.js';
import { contentOf } from '../file-content.js';
import type { AnySession } from './any-session.js';
import type { FailureWording } from './failures.js';
import type { Hint } from './hint.js';
import { shortMode } from './mode-names.js';

/** Sends a message whose fields are words of the command line. */
export function sayFields(
  session: AnySession,
  typed: string,
  words: readonly string[],
  by: { readonly sender?: string },
): Promise<Acknowledgement> {
  const mode = modeOf(session);
  const type = typeNamed(mode, typed);
  return session.send(type, payloadFrom(words, type, messageFields(mode, type)), by);
}

/** Words the refusal of a message with what it needs. */
export function explainFields(typed: string, { as }: { readonly as?: string }) {
  return (error: unknown, session: AnySession, { command }: Hint): FailureWording => {
    if (!(error instanceof MacpError) || error.code !== 'INVALID_ENVELOPE') return {};
    const mode = modeOf(session);
    const type = typeNamed(mode, typed);
    const known = findMode(mode)?.descriptor.message_types.slice(1) ?? [];
    if (known.length > 0 && !known.includes(type)) {
      const message = `${JSON.stringify(typed)} is not a message of this session, which is in ${shortMode(mode)} mode. Its messages are ${known.join(', ')}.`;
      return { message };
    }
    const { field } = error.details;
    if (typeof field !== 'string' || !field.startsWith('payload.')) return {};
    const more = fieldPlaceholders(mode, type);
    return {
      // A user of the command line writes fields, and no payload.
      message: error.message.replace(/^payload\./, '').replace(` ${REFUSALS.INVALID_ENVELOPE.advice}`, ''),
      next: [
        command('send', [session.sessionId, type], { more, ...(as === undefined ? {} : { sender: as }) }),
      ],
    };
  };
}

/** The fields that a message cannot be without, to be filled in: `proposal_id=… vote=…`. */
export function fieldPlaceholders(mode: string, type: string): string {
  const needed = (messageFields(mode, type) ?? []).filter(({ isRequired }) => isRequired);
  return needed.map(({ name }) => `${name}=…`).join(' ');
}

function modeOf({ projection }: AnySession): string {
  return projection.transcript[0]?.mode ?? '';
}

/** The type of a message, whichever case it is written in. */
function typeNamed(mode: string, typed: string): string {
  const types = findMode(mode)?.descriptor.message_types ?? [];
  return types.find((type) => type.toLowerCase() === typed.toLowerCase()) ?? typed;
}

function payloadFrom(
  words: readonly string[],
  type: string,
  fields: readonly MessageField[] | undefined,
): JsonObject {
  const [only] = words;
  if (words.length === 1 && only !== undefined && /^[{@]/.test(only)) {
    return parseObject(contentOf(only, 'the fields').toString(), 'the fields');
  }
  const payload = new Map<string, JsonValue>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      throw usageFailure(`${JSON.stringify(word)} is not a field; write name=value.`, namesOf(type, fields));
    }
    const name = word.slice(0, equals);
    const field = fields?.find((one) => one.name === name);
    if (fields !== undefined && field === undefined) {
      throw usageFailure(`${type} has no field ${JSON.stringify(name)}.`, namesOf(type, fields));
    }
    if (payload.has(name)) throw usageFailure(`The field ${name} is given twice.`);
    payload.set(name, valueFrom(word.slice(equals + 1), name, field));
  }
  return Object.fromEntries(payload);
}

/** Text stays text where the field takes it: the value `5` of a round is no number. */
function valueFrom(text: string, name: string, field: MessageField | undefined): JsonValue {
  const content = contentOf(text, name);
  if (field?.isBytes === true) return Buffer.from(content).toString('base64');
  const said = content.toString();
  return field?.fits(said) === true ? said : parseValue(said);
}

function namesOf(type: string, fields: readonly MessageField[] | undefined): readonly string[] {
  if (fields === undefined) return [];
  return [`The fields of ${type}: ${fields.map(({ name, expected }) => `${name} (${expected})`).join(', ')}`];
}
