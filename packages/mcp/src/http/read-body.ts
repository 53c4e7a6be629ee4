import type { IncomingMessage } from 'node:http';
import { type JsonValue, parseJson } from '@proffer/core/json';
import { MAX_LEVELS } from '../channel/shallow-channel.js';
import { INVALID_PARAMS, PARSE_ERROR } from '../json-rpc.js';

/** The maximum length of a body, in bytes. */
const LONGEST = 16 * 1_048_576;

/** One level deeper than a message, for a batch; each message is checked again separately. */
const LIMITS = { maxBytes: LONGEST, maxDepth: MAX_LEVELS + 1 };

/** Why a body is rejected. */
export interface BodyProblem {
  readonly status: number;
  /** The JSON-RPC code. */
  readonly code: number;
  readonly problem: string;
}

/**
 * The JSON in the body of a request, or what is wrong with it: also what parsers might interpret differently,
 * such as a duplicate key or an integer that a double cannot represent.
 */
export async function readBody(
  request: IncomingMessage,
): Promise<{ readonly value: JsonValue } | BodyProblem> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST) {
      return { status: 413, code: INVALID_PARAMS, problem: `The body has more than ${LONGEST} bytes.` };
    }
    chunks.push(chunk);
  }
  const parsed = parseJson(Buffer.concat(chunks).toString('utf8'), LIMITS);
  if (parsed.ok) return { value: parsed.value };
  const { code, message } = parsed.refusal;
  return { status: 400, code: code === 'invalid_json' ? PARSE_ERROR : INVALID_PARAMS, problem: message };
}
