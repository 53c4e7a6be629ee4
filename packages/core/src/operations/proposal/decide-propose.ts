import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { subjectOf } from '../../envelope/kind.js';
import { asksForCapable } from '../../envelope/recipients.js';
import { digestJson, type HashText } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import { isJsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { checkDependencies } from '../dependencies/dependency.js';
import type { AskedReview, DueStep, ProposalRecord, Requester } from '../records.js';
import { askedBy } from '../review/approvers.js';
import { entryFor } from '../review/policy.js';
import { readTargeting } from '../routing/executor.js';
import { servedBy } from '../space/servers.js';
import { checkArguments } from './arguments.js';
import { fingerprint } from './fingerprint.js';
import { checkTtl, lifetimeFrom } from './lifetime.js';
import type { Proposal } from './proposal.js';

/** A new proposal, or the same one sent again (O-3), with its time to live (O-19) and targeting (O-20). */
export function decidePropose(
  existing: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (existing !== undefined) {
    const same = existing.proposer === envelope.from && existing.fingerprint === fingerprint(envelope);
    return same ? { unchanged: 'duplicate' } : { refused: refuseTakenId(envelope.id) };
  }
  const tooMany = checkPending(envelope.from, context);
  if (tooMany !== undefined) return { refused: tooMany };
  const { now, settings, hash } = context;
  const { ttl } = envelope.payload;
  const tooLong = checkTtl(ttl, settings);
  if (tooLong !== undefined) return { refused: tooLong };
  const { targeting, addressees } = readTargeting(envelope, context);
  if (targeting === undefined && isExclusive(envelope) && !asksForCapable(envelope.payload))
    return { refused: refuseSelfOnly() };
  const { method, params, executor } = envelope.payload;
  const subject = subjectOf(textOf(method), params);
  const named = typeof executor === 'string' ? [executor] : undefined;
  const servers = named ?? (subject === undefined ? [] : servedBy(context.space, subject));
  const checked = checkArguments({ subject, params }, servers, context);
  if ('refused' in checked) return checked;
  const depending = checkDependencies(envelope, context);
  if ('refused' in depending) return depending;
  const record: ProposalRecord = {
    type: 'proposed',
    time: now,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: envelope.id,
      fingerprint: fingerprint(envelope),
      digest: operationDigest(method, params, hash),
      ...lifetimeFrom(ttl, settings, now),
      targeting,
      ...answerDeadline(envelope, now),
      addressees,
      ...requesterOf(envelope, context),
      ...askedOf(envelope, context),
      ...depending,
      ...checked,
    },
  };
  return { records: [record] };
}

/** When an answer is due, if the proposer wants one by then (O-48). */
function answerDeadline({ payload }: Envelope, now: number): { readonly answerDueAt?: number } {
  const { request_response: asks, response_timeout: time } = payload;
  return asks === true && typeof time === 'number' ? { answerDueAt: now + time } : NO_DEADLINE;
}

const NO_DEADLINE = {};

/** The options of a proposal that have no effect: nobody collects bids, and an answer is due only within a time (O-48). */
export function unusedOptions({ payload }: Envelope): readonly string[] {
  const { request_bids: bids, request_response: asks, response_timeout: time } = payload;
  return [
    ...(bids === true ? ['request_bids'] : []),
    ...(payload['bid_timeout'] === undefined ? [] : ['bid_timeout']),
    ...(asks === true && time === undefined ? ['request_response'] : []),
    ...(asks !== true && time !== undefined ? ['response_timeout'] : []),
  ];
}

/** Who the proposer is, if the operator says more than its name. */
function requesterOf(
  { payload: { origin } }: Envelope,
  { sender }: ProposalContext,
): { readonly requester?: Requester } {
  const { subject, roles } = sender ?? {};
  // A guard is trusted about its clients: the operator put it in front of what runs.
  const asksFor = sender?.runsOwnCalls === true && isJsonObject(origin) ? origin['user'] : undefined;
  const worksFor = sender?.worksFor ?? (typeof asksFor === 'string' ? asksFor : undefined);
  if (subject === undefined && roles === undefined && worksFor === undefined) return NOBODY_IN_PARTICULAR;
  return {
    requester: {
      ...(subject === undefined ? {} : { subject }),
      ...(roles === undefined ? {} : { roles }),
      ...(worksFor === undefined ? {} : { worksFor }),
    },
  };
}

const NOBODY_IN_PARTICULAR = {};

/** What the matching entry requires (O-28), and what happens if no one decides (O-33). */
function askedOf(
  { from, payload }: Envelope,
  { settings, sender, now }: ProposalContext,
): { readonly escalation?: readonly DueStep[]; readonly review?: AskedReview } {
  if (settings.review === undefined) return NOBODY_IN_PARTICULAR;
  const { method, params } = payload;
  const proposer = { name: from, roles: sender?.roles };
  const call = { method: textOf(method), params: isJsonObject(params) ? params : undefined, proposer };
  const entry = entryFor(settings.review, call);
  if (entry === undefined) return NOBODY_IN_PARTICULAR;
  const review = askedBy(entry, settings);
  if (entry.escalate.length === 0) return { review };
  return { review, escalation: entry.escalate.map(({ after, to }) => ({ at: now + after, to })) };
}

function checkPending(proposer: string, { space, settings }: ProposalContext): Refusal | undefined {
  const limit = settings.maxPending ?? Number.POSITIVE_INFINITY;
  const pending = space.pending.get(proposer) ?? 0;
  if (pending < limit) return undefined;
  const sentence = `${quote(proposer)} has ${pending} pending proposals; the limit is ${limit}.`;
  return refuse('too_many_pending', sentence, { limit, pending });
}

/** What an approval is bound to: the method and the params, in canonical JSON (O-25). */
export function operationDigest(
  method: JsonValue | undefined,
  params: JsonValue | undefined,
  hash?: HashText,
): string {
  return digestJson({ method, params }, hash);
}

/** The refusal for an id that another message has (O-3). */
export function refuseTakenId(id: string): Refusal {
  return refuse('id_conflict', `The id ${quote(id)} is taken by another message in this space.`, {
    field: 'id',
    found: id,
  });
}

function isExclusive({ payload: { targeting } }: Envelope): boolean {
  return isJsonObject(targeting) && targeting['exclusive'] === true;
}

function refuseSelfOnly(): Refusal {
  const field = 'payload.targeting.preferred';
  return refuse('invalid_field', `${field} names only the proposer, who may not fulfil it.`, {
    field,
    expected: 'someone else',
  });
}
