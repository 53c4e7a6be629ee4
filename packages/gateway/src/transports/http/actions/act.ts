import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { failure, type Refusal, type Result, readObject, refuse, success } from '@proffer/core';
import {
  describe,
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
  quote,
} from '@proffer/core/json';
import { type ParticipantRights, refuseNotPending } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Metrics } from '../../../metrics/index.js';
import {
  type Received,
  type SpaceCaller,
  type SpaceMessageOutcome,
  submitReading,
} from '../../../operations/index.js';
import { readBody } from '../body.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';
import { awaitAnswer, describeAnswer } from '../spaces/answer.js';
import { wantsStream } from '../spaces/feed.js';
import { replyGrant } from '../spaces/grants.js';
import { issuedIn, placeOf } from '../spaces/messages.js';
import { streamProposal } from '../spaces/proposal-stream.js';
import { findProposal, refuseUnseen } from '../spaces/seen-proposal.js';
import type { Wait } from '../spaces/wait.js';
import type { Action, ActionMessage } from './action.js';

const HEADER = 'Idempotency-Key';
const EXPECTED = '1 to 255 visible ASCII characters, once';

/**
 * The key of a request, with or without the quotes that the draft of the standard wants; `undefined` if it has none.
 */
function readIdempotencyKey({ headersDistinct }: IncomingMessage): Result<string | undefined> {
  const found = headersDistinct[HEADER.toLowerCase()] ?? [];
  const [written] = found;
  if (written === undefined) return success(undefined);
  const key = /^"(.*)"$/.exec(written)?.[1] ?? written;
  if (found.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key)) return success(key);
  const details = { field: HEADER, found: found.join(', '), expected: EXPECTED };
  return failure(refuse('invalid_field', `The header ${HEADER} is invalid.`, details));
}

/**
 * The message id for a key: the journal remembers ids, so a key is valid across restarts and gateways, and as
 * long as the id is (O-3). Each participant has its own keys, and nobody can take the id of another's:
 * senders cannot choose ids that begin with `system:`.
 */
export function messageIdFor(participant: string, key: string): string {
  return `system:key-${createHash('sha256').update(`${participant}\n${key}`).digest('base64url')}`;
}

/** The refusal of a key that was used for another message, worded for its sender. */
function refuseUsedKey(key: string): Refusal {
  return refuse('id_conflict', `The ${HEADER} was used for another message.`, { field: HEADER, found: key });
}

export interface ActOptions {
  readonly action: Action;
  readonly wait: Wait;
  readonly journal: Journal;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
}

/**
 * One request for one message. The answer comes when the message is durable; with `?wait=` when there is an answer to
 * the proposal, or the time is up; as `text/event-stream` it reports what happens until then.
 */
export async function act(call: HttpCall, caller: SpaceCaller, options: ActOptions): Promise<void> {
  const key = readIdempotencyKey(call.request);
  if (!key.ok) return call.refuse(key.refusal);
  const composed = await compose(call, caller, options);
  // The body may have taken a minute: the sender's current rights count (I-4).
  const rights = caller.rights();
  if (!rights.ok) return call.refuse(rights.refusal);
  if (!composed.ok) return call.refuse(composed.refusal);
  const id = key.value === undefined ? randomUUID() : messageIdFor(caller.name, key.value);
  const [outcome, received] = await submit(caller, composed.value, {
    ...options,
    id,
    rights: rights.value,
  });
  const about = call.values[1] ?? id;
  if (outcome.status === 'refused') {
    const { refusal } = outcome;
    const isUsed = refusal.code === 'id_conflict' && key.value !== undefined;
    return call.refuse(isUsed ? refuseUsedKey(key.value ?? '') : inTermsOfBody(refusal));
  }
  if (options.action.about === 'grant') return replyGrant(call, caller, { outcome, received });
  await reply(call, caller, { ...options, about, outcome, received });
}

async function compose(
  call: HttpCall,
  caller: SpaceCaller,
  options: ActOptions,
): Promise<Result<ActionMessage>> {
  const { action, limits } = options;
  const body = await readBody(call.request, limits.maxBytes);
  if (!body.ok) return body;
  const parsed = body.value.trim() === '' ? success({}) : parseJson(body.value, limits);
  if (!parsed.ok) return parsed;
  const checked = checkFields(parsed.value, action);
  if (!checked.ok) return checked;
  const id = call.values[1] ?? '';
  const draft = await action.compose(checked.value, {
    id,
    proposal: () => findProposal(caller, id),
  });
  return 'code' in draft ? failure(draft) : success(draft);
}

function submit(
  caller: SpaceCaller,
  draft: ActionMessage,
  {
    id,
    rights,
    clock,
    limits,
    metrics,
  }: ActOptions & { readonly id: string; readonly rights: ParticipantRights },
): Promise<readonly [SpaceMessageOutcome, Received]> {
  const now = clock();
  const reading = readObject(draft, { from: caller.name, now, limits, dialect: 'mcpx', fallbackId: id });
  const queue = { server: { isOpen: false, instance: undefined } };
  return new Promise((resolve) => {
    submitReading(caller, reading, { rights, queue }, (outcome, received) => {
      metrics.messages.inc({ transport: 'http', outcome: outcome.status });
      if (outcome.status === 'accepted') metrics.latency.observe((clock() - now) / 1000);
      resolve([outcome, received]);
    });
  });
}

interface Reply extends ActOptions {
  /** The proposal. */
  readonly about: string;
  readonly outcome: Exclude<SpaceMessageOutcome, { readonly status: 'refused' }>;
  readonly received: Received;
}

async function reply(call: HttpCall, caller: SpaceCaller, options: Reply): Promise<void> {
  const { about, outcome, received, wait, journal } = options;
  if (outcome.status === 'late') {
    const proposal = await findProposal(caller, about);
    // Scripts look only at the status: a rejection without effect must not look like an effective one.
    return call.refuse(proposal === undefined ? refuseUnseen(about) : refuseNotPending(proposal));
  }
  const sent = {
    id: received.id ?? null,
    status: outcome.status,
    ...placeOf(outcome, received.id),
    ...issuedIn(outcome),
  };
  // The action is not about a proposal.
  if (!options.action.path.startsWith('/proposals')) return replyJson(call.response, 200, sent);
  const space = encodeURIComponent(caller.liveSpace.host.settings.name);
  if (call.values.length === 1) {
    call.response.setHeader('location', `/spaces/${space}/proposals/${encodeURIComponent(about)}`);
  }
  if (wantsStream(call)) return await streamProposal(call, caller, { id: about, journal, after: 0, ...wait });
  const answered = await awaitAnswer(call, caller, { id: about, wait });
  const answer: JsonObject = answered === undefined ? {} : await describeAnswer(caller, answered, journal);
  replyJson(call.response, call.values.length === 1 ? 201 : 200, { ...sent, ...answer });
}

/** Checks that a body has only known fields, and the required ones, so that no typo is ignored. */
function checkFields(
  body: JsonValue,
  { fields, required = [] }: Pick<Action, 'fields' | 'required'>,
): Result<JsonObject> {
  if (!isJsonObject(body)) {
    const found = describe(body);
    const sentence = `The body is ${found}; expected an object.`;
    return failure(refuse('invalid_json', sentence, { found, expected: 'an object' }));
  }
  const known = Object.keys(fields);
  const unknown = Object.keys(body).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const sentence = `The body has an unknown field ${quote(unknown)}; the fields are ${known.join(', ')}.`;
    return failure(refuse('invalid_field', sentence, { field: unknown, expected: known }));
  }
  const missing = required.find((field) => body[field] === undefined);
  if (missing === undefined) return success(body);
  return failure(refuse('missing_field', `The body has no ${missing}.`, { field: missing }));
}

/** Renames a payload field in a refusal to its name in the body. */
function inTermsOfBody(refusal: Refusal): Refusal {
  const { field } = refusal.details;
  if (typeof field !== 'string' || !field.startsWith('payload.')) return refusal;
  const name = field.slice('payload.'.length);
  const message = refusal.message.replaceAll(field, name);
  return { ...refusal, message, details: { ...refusal.details, field: name } };
}
