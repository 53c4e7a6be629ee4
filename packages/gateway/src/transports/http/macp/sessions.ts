import { failure, type Result, refuse, success } from '@proffer/core';
import { describe, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { refusedAck, type SessionMetadata, writeSessionJson } from '@proffer/core/negotiation';
import { bearerToken } from '../../../door/index.js';
import { type NegotiationCalls, type SessionQuery, writeAccepted } from '../../../negotiation/index.js';
import { readBody } from '../body.js';
import { replyJson, replyRefusal } from '../reply.js';
import type { HttpCall } from '../router.js';
import { askedAfter } from '../spaces/feed.js';
import { type MacpHttpOptions, readJson, replyAck } from './envelope.js';

/**
 * The maximum number of envelopes in one answer; an answer also ends with the one that brings it to this many
 * characters (I-7).
 */
const PAGE = { records: 1_000, size: 1_048_576 } as const;

/** `GET /macp/session/{id}`: the state of a session. */
export async function showSession({ response, values }: HttpCall, calls: NegotiationCalls): Promise<void> {
  const found = await calls.session(values[0] ?? '');
  if (!found.ok) return replyRefusal(response, found.refusal);
  replyJson(response, 200, { metadata: writeSessionJson(found.value) });
}

/**
 * `GET /macp/sessions`: the sessions that the caller may read and that are open, or were a moment ago. With
 * `state` (`all`, `ended`), `id`, `limit` or `before`: a page of everything that the journal holds, newest
 * first.
 */
export async function listSessions({ response, query }: HttpCall, calls: NegotiationCalls): Promise<void> {
  if (PAGE_KEYS.some((key) => query.has(key))) return await pageSessions({ response, query }, calls);
  const found = await calls.sessions(toForm, () => response.destroyed);
  if (!found.ok) return replyRefusal(response, found.refusal);
  const { sessions, more } = found.value;
  replyJson(response, 200, { sessions, more });
}

const PAGE_KEYS = ['state', 'id', 'limit', 'before'];

/** Maximum sessions in one answer. */
const MAX_LISTED = 500;

async function pageSessions(
  { response, query }: Pick<HttpCall, 'response' | 'query'>,
  calls: NegotiationCalls,
): Promise<void> {
  const asked = calls.asked(readSessionQuery(query));
  if (!asked.ok) return replyRefusal(response, asked.refusal);
  const found = await calls.sessionPage(asked.value, toForm, () => response.destroyed);
  if (!found.ok) return replyRefusal(response, found.refusal);
  replyJson(response, 200, { ...found.value });
}

function readSessionQuery(query: URLSearchParams): Result<SessionQuery> {
  const state = query.get('state') ?? 'all';
  if (state !== 'all' && state !== 'ended') return wrongIn('state', state, 'all or ended');
  const limit = query.get('limit') ?? String(MAX_LISTED);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LISTED) {
    return wrongIn('limit', limit, `a number from 1 to ${MAX_LISTED}`);
  }
  const before = query.get('before');
  if (before !== null && !/^[1-9]\d{0,14}$/.test(before)) {
    return wrongIn('before', before, 'the `next` of the previous page');
  }
  const prefix = query.get('id') ?? '';
  return success({
    state,
    prefix,
    limit: Number(limit),
    ...(before === null ? {} : { before: Number(before) }),
  });
}

function wrongIn(field: string, found: string, expected: string): Result<never> {
  return wrong(field, `${field} in the URL`, found, expected);
}

function toForm(session: SessionMetadata) {
  const value = writeSessionJson(session);
  return { value, bytes: Buffer.byteLength(JSON.stringify(value)) };
}

/**
 * `POST /macp/session/{id}/cancel`, `suspend` and `resume`: with an optional `reason`. The answer is an Ack.
 */
export const controlSession =
  (type: 'cancel' | 'suspend' | 'resume', { negotiations, limits }: MacpHttpOptions) =>
  async ({ request, response, values, onAdmitted }: HttpCall): Promise<void> => {
    const sessionId = values[0] ?? '';
    const address = { session_id: sessionId, message_id: '' };
    const admitted = await negotiations.admit(bearerToken(request.headers.authorization), 'http');
    if (!admitted.ok) return replyAck(response, refusedAck(address, admitted.refusal));
    onAdmitted();
    const text = await readBody(request, limits.maxBytes);
    const attempt = admitted.value.checkRightsAndRate();
    if (!attempt.ok) return replyAck(response, refusedAck(address, attempt.refusal));
    const body = readJson(text, limits);
    const reason = body.ok ? reasonIn(body.value) : body;
    const calls = attempt.value;
    if (reason.ok) replyAck(response, await calls.control(type, sessionId, reason.value));
    else replyAck(response, await calls.send({ address, decode: () => reason }));
  };

function reasonIn(body: JsonValue): Result<string> {
  if (!isJsonObject(body)) return wrong('', 'The body', body, 'an object');
  // As in protobuf's JSON, null means unset.
  const reason = body['reason'] ?? '';
  return typeof reason === 'string' ? success(reason) : wrong('reason', 'reason', reason, 'text');
}

function wrong(field: string, what: string, value: JsonValue, expected: string): Result<never> {
  const found = describe(value);
  const sentence = `${what} is ${found}; expected ${expected}.`;
  return failure(refuse('INVALID_ENVELOPE', sentence, { field, found, expected }));
}

/** `GET /macp/session/{id}/envelopes[?after=N]`: a page of accepted envelopes, and the next number. */
export async function readEnvelopes(call: HttpCall, calls: NegotiationCalls): Promise<void> {
  const { response, values } = call;
  const after = calls.asked(askedAfter(call));
  if (!after.ok) return replyRefusal(response, after.refusal);
  const found = await calls.history(values[0] ?? '', after.value, PAGE);
  if (!found.ok) return replyRefusal(response, found.refusal);
  const records = found.value;
  replyJson(response, 200, {
    envelopes: records.map(writeAccepted),
    after: records.at(-1)?.version ?? after.value,
  });
}

/** Answers with the result of a registry, under a name. */
export function replyResult<Value>(
  { response }: Pick<HttpCall, 'response'>,
  result: Result<Value>,
  write: (value: Value) => JsonObject,
): void {
  if (result.ok) replyJson(response, 200, write(result.value));
  else replyRefusal(response, result.refusal);
}
