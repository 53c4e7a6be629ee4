import { type DescMessage, fromJson, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { failure, type RefusalCode, type Result, refuse, success } from '@proffer/core';
import type { JsonValue } from '@proffer/core/json';
import type { JsonForm } from './json-codec/json-codec.js';
import { planOf } from './json-codec/plan.js';
import { readTwin, type WireProblem } from './json-codec/read.js';
import { writeTwin } from './json-codec/write.js';

/** Reads and writes one message type: bytes on one side, its JSON twin on the other. */
export interface Codec<Value> {
  /** The full name of the message. */
  readonly typeName: string;
  /**
   * Never throws: invalid bytes are refused with `INVALID_ENVELOPE`, naming the field, what was found
   * and what was expected. Unknown fields are ignored.
   */
  read(bytes: Uint8Array): Result<Value>;
  /**
   * Reads the message in protobuf's JSON mapping, with field names as on the wire. Never throws: refuses
   * with `INVALID_ENVELOPE`. Unknown fields are ignored.
   */
  readJson(json: JsonValue): Result<Value>;
  /**
   * Encodes one of our own messages, which is known to be valid.
   *
   * @param room - bytes left free in front, for framing. Default none
   */
  write(value: Value, room?: number): Buffer;
}

/** The codec of a generated message type. */
export function codecOf<Schema extends DescMessage>(schema: Schema): Codec<JsonForm<MessageShape<Schema>>> {
  const plan = planOf(schema);
  const read = (bytes: Uint8Array): Result<JsonForm<MessageShape<Schema>>> => {
    const { value, problem } = readTwin(plan, bytes);
    if (problem !== undefined) return failure(refuseBytes(problem));
    // The plan comes from the same descriptor as the type.
    return success(value as JsonForm<MessageShape<Schema>>);
  };
  return {
    typeName: schema.typeName,
    read,
    readJson(json) {
      try {
        // The library's type for JSON has no readonly members; it changes none.
        const message = fromJson(schema, json as Parameters<typeof fromJson>[1], {
          ignoreUnknownFields: true,
        });
        return read(toBinary(schema, message));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return failure(refuse('INVALID_ENVELOPE', `The body is not a ${schema.name}: ${why}.`));
      }
    },
    write: (value, room) => writeTwin(plan, value, room),
  };
}

/** The refusal for bytes that could not be read. */
export function refuseBytes(problem: WireProblem, code: RefusalCode = 'INVALID_ENVELOPE') {
  const { field, found, expected } = problem;
  const where = field === '' ? 'The message' : field;
  return refuse(code, `${where} has ${found}; expected ${expected}.`, { field, found, expected });
}
