import { randomUUID } from 'node:crypto';
import { failure, type Result, readObject, success } from '@proffer/core';
import { type JsonLimits, type JsonObject, parseJson } from '@proffer/core/json';
import { refuseNotPending, type Standing } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Metrics } from '../../../metrics/index.js';
import { type Guest, type Received, type Submission, submitReading } from '../../../operations/index.js';
import { readBody } from '../body.js';
import { replyJson } from '../reply.js';
import type { Call } from '../router.js';
import { awaitAnswer, describeAnswer } from '../spaces/answer.js';
import { wantsStream } from '../spaces/feed.js';
import { replyGrant } from '../spaces/grants.js';
import { placeOf } from '../spaces/messages.js';
import { streamProposal } from '../spaces/proposal-stream.js';
import { findProposal, refuseUnseen } from '../spaces/seen-proposal.js';
import type { Wait } from '../spaces/wait.js';
import type { Action, Draft } from './action.js';
import { checkFields, inTermsOfBody } from './fields.js';
import { messageIdFor, readIdempotencyKey, refuseUsedKey } from './idempotency-key.js';

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
export async function act(call: Call, guest: Guest, options: ActOptions): Promise<void> {
  const key = readIdempotencyKey(call.request);
  if (!key.ok) return call.refuse(key.refusal);
  const composed = await compose(call, guest, options);
  // The body may have taken a minute: the sender's current rights count (I-4).
  const rights = guest.rights();
  if (!rights.ok) return call.refuse(rights.refusal);
  if (!composed.ok) return call.refuse(composed.refusal);
  const id = key.value === undefined ? randomUUID() : messageIdFor(guest.name, key.value);
  const [submission, received] = await submit(guest, composed.value, {
    ...options,
    id,
    standing: rights.value,
  });
  const about = call.values[1] ?? id;
  if (submission.status === 'refused') {
    const { refusal } = submission;
    const isUsed = refusal.code === 'id_conflict' && key.value !== undefined;
    return call.refuse(isUsed ? refuseUsedKey(key.value ?? '') : inTermsOfBody(refusal));
  }
  if (options.action.about === 'grant') return replyGrant(call, guest, { submission, received });
  await reply(call, guest, { ...options, about, submission, received });
}

async function compose(call: Call, guest: Guest, options: ActOptions): Promise<Result<Draft>> {
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
    proposal: () => findProposal(guest, id),
  });
  return 'code' in draft ? failure(draft) : success(draft);
}

function submit(
  guest: Guest,
  draft: Draft,
  { id, standing, clock, limits, metrics }: ActOptions & { readonly id: string; readonly standing: Standing },
): Promise<readonly [Submission, Received]> {
  const now = clock();
  const reading = readObject(draft, { from: guest.name, now, limits, dialect: 'mcpx', fallbackId: id });
  const line = { server: { isOpen: false, instance: undefined } };
  return new Promise((resolve) => {
    submitReading(guest, reading, { standing, line }, (submission, received) => {
      metrics.messages.inc({ transport: 'http', outcome: submission.status });
      if (submission.status === 'accepted') metrics.latency.observe((clock() - now) / 1000);
      resolve([submission, received]);
    });
  });
}

interface Reply extends ActOptions {
  /** The proposal. */
  readonly about: string;
  readonly submission: Exclude<Submission, { readonly status: 'refused' }>;
  readonly received: Received;
}

async function reply(call: Call, guest: Guest, options: Reply): Promise<void> {
  const { about, submission, received, wait, journal } = options;
  if (submission.status === 'late') {
    const proposal = await findProposal(guest, about);
    // Scripts look only at the status: a rejection without effect must not look like an effective one.
    return call.refuse(proposal === undefined ? refuseUnseen(about) : refuseNotPending(proposal));
  }
  const sent = { id: received.id ?? null, status: submission.status, ...placeOf(submission, received.id) };
  // It is not about a proposal.
  if (!options.action.path.startsWith('/proposals')) return replyJson(call.response, 200, sent);
  const space = encodeURIComponent(guest.room.host.settings.name);
  if (call.values.length === 1) {
    call.response.setHeader('location', `/spaces/${space}/proposals/${encodeURIComponent(about)}`);
  }
  if (wantsStream(call)) return await streamProposal(call, guest, { id: about, journal, after: 0, ...wait });
  const answered = await awaitAnswer(call, guest, { id: about, wait });
  const answer: JsonObject = answered === undefined ? {} : await describeAnswer(guest, answered, journal);
  replyJson(call.response, call.values.length === 1 ? 201 : 200, { ...sent, ...answer });
}
