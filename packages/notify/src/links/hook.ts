import { type Refusal, refuse } from '@proffer/core';
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  quote,
} from '@proffer/core/json';
import { refuseNotPending } from '@proffer/core/operations';
import type { CompanionContext, Hook, HookAnswer, Seen } from '@proffer/gateway';
import { redact } from '../content/redact.js';
import type { FoundLink } from '../follow/notifier.js';
import { hashKey } from './key.js';

/** Where keys are posted: `POST /hooks/decision-link`. */
export const LINK_HOOK = 'decision-link';

export interface LinkHookOptions extends Pick<CompanionContext, 'seeAs' | 'decideAs' | 'clock'> {
  readonly find: (key: string) => Promise<FoundLink | undefined>;
  /** Paths in the arguments that only signed-in people see. */
  readonly redacted: readonly string[];
}

/** The posted body: the key alone asks what it decides. */
interface Posted {
  readonly key: string;
  readonly decision?: 'approve' | 'reject';
  readonly body: JsonObject;
}

/**
 * Decides by a link, for whoever has its key: once, within its hour, and only what the message was
 * about. Without a decision it shows the proposal and changes nothing, however often it is called.
 */
export function linkHook(options: LinkHookOptions): Hook {
  return {
    name: LINK_HOOK,
    async answer({ body }) {
      const posted = readPosted(body);
      if ('code' in posted) return { refused: posted };
      const found = await options.find(posted.key);
      if (found === undefined) return { refused: refuse('unknown_link', 'This link does not work.') };
      const over = checkLink(found, options.clock());
      if (over !== undefined) return { refused: over };
      const { space, participant, link } = found;
      const sight = { participant, credential: `link:${participant}`, space, proposal: link.proposal };
      const seen = await options.seeAs(sight);
      if (!seen.ok) return { refused: seen.refusal };
      const changed = checkProposal(found, seen.value);
      if (changed !== undefined) return { refused: changed };
      if (posted.decision === undefined) return show(found, seen.value, options);
      const hidden = posted.decision === 'approve' ? checkSeen(seen.value, options.redacted) : undefined;
      return hidden === undefined ? await decide(found, posted, options) : { refused: hidden };
    },
  };
}

async function decide(
  { space, participant, link, use }: FoundLink,
  { key, decision = 'reject', body }: Posted,
  { decideAs }: LinkHookOptions,
): Promise<HookAnswer> {
  const { proposal, digest } = link;
  if (decision === 'approve' && body['digest'] !== digest)
    return {
      refused: refuse('digest_mismatch', 'The digest does not match the call that this link is for.', {
        proposal,
        found: body['digest'],
        expected: digest,
      }),
    };
  const decided = await decideAs({
    // One link is one message: repeating it is a duplicate, and a different decision by it is a
    // conflict (O-3).
    id: `link-${hashKey(key).slice(0, 32)}`,
    participant,
    credential: `link:${participant}`,
    space,
    proposal,
    decision,
    body,
    isBearer: true,
  });
  if (!decided.ok) {
    const isTaken = decided.refusal.code === 'id_conflict';
    return { refused: isTaken ? refuseUsed(space, proposal) : decided.refusal };
  }
  await use(decision);
  return { status: 200, body: { decision, status: decided.value.status, space, proposal } };
}

/** What the page shows before it asks. */
function show(
  { space, participant, link }: FoundLink,
  seen: Seen,
  { redacted }: LinkHookOptions,
): HookAnswer {
  const { unsigned } = seen;
  const hidden = checkSeen(seen, redacted);
  const { shown, served } = seen;
  const view = objectOf(shown['proposal']);
  const reason = reasonIn(shown);
  return {
    status: 200,
    body: {
      participant,
      space,
      expiresAt: link.expiresAt,
      proposal: withoutRedacted(view, redacted),
      ...(reason === undefined ? {} : { reason }),
      ...(served === undefined ? {} : { served: { ...served } }),
      may: unsigned !== undefined ? [] : hidden !== undefined ? ['reject'] : ['approve', 'reject'],
      ...((unsigned ?? hidden) === undefined ? {} : { signIn: (unsigned ?? hidden)?.message }),
    },
  };
}

/** Counter-offers contain params too, and the changes to the proposed ones; faults say what was found. */
function withoutRedacted(view: JsonObject, redacted: readonly string[]): JsonObject {
  if (redacted.length === 0) return view;
  const { params, counters: _counters, argumentFaults: _faults, ...rest } = view;
  return { ...rest, ...(isJsonObject(params) ? { params: redact(params, redacted) } : {}) };
}

function checkLink({ space, link }: FoundLink, now: number): Refusal | undefined {
  const { proposal, used, expiresAt } = link;
  if (used !== undefined) return refuseUsed(space, proposal, used.decision);
  if (now < expiresAt) return undefined;
  return refuse('expired_link', 'This link is older than an hour.', { space, proposal, expiresAt });
}

function refuseUsed(space: string, proposal: string, decision?: 'approve' | 'reject'): Refusal {
  const what = decision === undefined ? '' : `, to ${decision} ${quote(proposal)}`;
  return refuse('used_link', `This link has already been used${what}.`, { space, proposal });
}

function checkProposal({ space, link }: FoundLink, { proposal }: Seen): Refusal | undefined {
  if (proposal.phase !== 'pending') {
    const refusal = refuseNotPending(proposal);
    return { ...refusal, details: { ...refusal.details, space } };
  }
  if (proposal.digest === link.digest) return undefined;
  const details = { space, proposal: proposal.id, found: link.digest, expected: proposal.digest };
  return refuse('digest_mismatch', 'The call has changed since this link was sent.', details);
}

/** No one approves what they cannot see. */
function checkSeen({ proposal }: Seen, redacted: readonly string[]): Refusal | undefined {
  const { params } = proposal;
  if (params === undefined || canonicalJson(redact(params, redacted)) === canonicalJson(params))
    return undefined;
  const what = 'Some arguments are visible only to people who are signed in.';
  return refuse('sign_in_required', what, { proposal: proposal.id });
}

function reasonIn({ history }: JsonObject): string | undefined {
  const [first] = listOf(history);
  const message = first !== undefined && isJsonObject(first) ? first['message'] : undefined;
  const payload = message !== undefined && isJsonObject(message) ? message['payload'] : undefined;
  const reason = payload !== undefined && isJsonObject(payload) ? payload['reason'] : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

function readPosted(text: string): Posted | Refusal {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed.refusal;
  const { key, decision, ...body } = objectOf(parsed.value);
  if (typeof key !== 'string')
    return refuse('missing_field', 'The key is missing.', { field: 'key', expected: 'the key of a link' });
  if (decision === undefined) return { key, body };
  if (decision === 'approve' || decision === 'reject') return { key, decision, body };
  const expected = 'approve or reject';
  return refuse('invalid_field', 'Unknown decision.', { field: 'decision', found: decision, expected });
}
