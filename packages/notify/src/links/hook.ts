import { type Refusal, refuse } from '@proffer/core';
import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  parseJson,
  quote,
} from '@proffer/core/json';
import { refuseNotPending } from '@proffer/core/operations';
import { type HidingOptions, hideSecrets } from '@proffer/core/secrets';
import type { CompanionContext, Hook, HookAnswer, VisibleProposal } from '@proffer/gateway';
import type { FoundLink } from '../follow/notifier.js';
import { hashKey } from './key.js';

/** Where keys are posted: `POST /hooks/decision-link`. */
export const LINK_HOOK = 'decision-link';

export interface LinkHookOptions extends Pick<CompanionContext, 'seeAs' | 'decideAs' | 'clock'> {
  readonly find: (key: string) => Promise<FoundLink | undefined>;
  /** Paths in the arguments that only signed-in people see. */
  readonly hiding: HidingOptions;
  readonly onFault: (error: unknown) => void;
}

/** The posted body: the key alone asks what it decides. */
interface Posted {
  readonly key: string;
  readonly decision?: 'approve' | 'reject';
  /** What the page showed, or why it is rejected. */
  readonly body: JsonObject;
}

/**
 * What a decision may come with. An approval says what was shown, and is refused if that is not so any more:
 * what runs, and who runs it, comes from the link and the gateway, never from what was posted.
 */
const FIELDS = { approve: ['digest', 'executor', 'definition', 'version'], reject: ['reason', 'message'] };

/**
 * Decides by a link, for whoever has its key: once, within its hour, and only what the message was
 * about. Without a decision it shows the proposal and changes nothing, however often it is called.
 */
export function linkHook(options: LinkHookOptions): Hook {
  return {
    name: LINK_HOOK,
    async answer(request) {
      const posted = readPosted(request.body);
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
      const { key, decision, body } = posted;
      if (decision === undefined) return show(found, seen.value, options);
      if (decision === 'reject') return await decide(found, { key, decision, body }, options);
      const unseen = checkSeen(seen.value, options.hiding) ?? checkDigest(found, body);
      if (unseen !== undefined) return { refused: unseen };
      return await decide(found, { key, decision, body: asShown(found, body) }, options);
    },
  };
}

/**
 * The approval of what the page showed, or the message if its button was pressed. Core checks whether that is still so;
 * who runs it is not up to whoever posts.
 */
function asShown({ link }: FoundLink, { digest: _checked, ...posted }: JsonObject): JsonObject {
  const seen = Object.keys(posted).length > 0 ? posted : link.seen;
  return { digest: link.digest, ...defined({ seen }) };
}

/** The refusal of an approval of something other than what the link is for. */
function checkDigest({ link }: FoundLink, { digest: found }: JsonObject): Refusal | undefined {
  const { proposal, digest } = link;
  if (found === digest) return undefined;
  const details = { proposal, found, expected: digest };
  return refuse(
    'digest_mismatch',
    'This link is for a different version of the call. Open the inbox.',
    details,
  );
}

/** Who would run it, as the page shows it. */
function runnerIn(shown: JsonObject): {
  readonly name: JsonValue | undefined;
  readonly insteadOf: JsonValue | undefined;
} {
  const { name, insteadOf } = objectOf(objectOf(shown['proposal'])['wouldRun']);
  return { name, insteadOf };
}

async function decide(
  { space, participant, link, use }: FoundLink,
  { key, decision, body }: Required<Posted>,
  { decideAs, onFault }: LinkHookOptions,
): Promise<HookAnswer> {
  const { proposal } = link;
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
  // The decision is recorded, whatever becomes of this note: without it the link still decides nothing else.
  await use(decision).catch(onFault);
  return { status: 200, body: { decision, status: decided.value.status, space, proposal } };
}

/** What the page shows before it asks. */
function show(
  { space, participant, link }: FoundLink,
  seen: VisibleProposal,
  { hiding }: LinkHookOptions,
): HookAnswer {
  const { shown, served, unsigned } = seen;
  const { approve = checkSeen(seen, hiding), reject } = unsigned;
  const view = objectOf(shown['proposal']);
  const reason = reasonIn(shown);
  return {
    status: 200,
    body: {
      participant,
      space,
      expiresAt: link.expiresAt,
      proposal: withoutRedacted(view, hiding),
      ...(reason === undefined ? {} : { reason: hideSecrets(reason, hiding).value }),
      ...(served === undefined ? {} : { served: { ...served } }),
      may: [...(approve === undefined ? ['approve'] : []), ...(reject === undefined ? ['reject'] : [])],
      ...(approve === undefined ? {} : { signIn: approve.message }),
    },
  };
}

/** Counter-offers contain params too, and the changes to the proposed ones; faults say what was found. */
function withoutRedacted(view: JsonObject, hiding: HidingOptions): JsonObject {
  const { value, hasSecrets } = hideSecrets(view, hiding);
  if (!hasSecrets && (hiding.paths ?? []).length === 0) return view;
  const { counters: _counters, argumentFaults: _faults, ...rest } = value;
  return rest;
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

function checkProposal({ space, link }: FoundLink, { proposal }: VisibleProposal): Refusal | undefined {
  if (proposal.phase !== 'pending') {
    const refusal = refuseNotPending(proposal);
    return { ...refusal, details: { ...refusal.details, space } };
  }
  if (proposal.digest === link.digest) return undefined;
  const details = { space, proposal: proposal.id, found: link.digest, expected: proposal.digest };
  return refuse('digest_mismatch', 'The call has changed since this link was sent.', details);
}

/** Nobody approves what they cannot see, and a link, which identifies nobody, lets nobody new run a tool. */
function checkSeen({ proposal, shown }: VisibleProposal, hiding: HidingOptions): Refusal | undefined {
  const { params, id } = proposal;
  const { name, insteadOf } = runnerIn(shown);
  if (typeof name === 'string' && typeof insteadOf === 'string') {
    const what = `${quote(name)} would run this tool for the first time; ${quote(insteadOf)} served it before.`;
    return refuse('sign_in_required', what, { proposal: id, executor: name, insteadOf });
  }
  if (params === undefined || !hideSecrets(params, hiding).hasSecrets) return undefined;
  const what = 'Some arguments are visible only to people who are signed in.';
  return refuse('sign_in_required', what, { proposal: id });
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
  if (decision !== 'approve' && decision !== 'reject') {
    const expected = 'approve or reject';
    return refuse('invalid_field', 'Unknown decision.', { field: 'decision', found: decision, expected });
  }
  const other = Object.keys(body).find((field) => !FIELDS[decision].includes(field));
  if (other === undefined) return { key, decision, body };
  const what = `A link cannot set ${quote(other)}. Nothing was decided.`;
  return refuse('invalid_field', what, { field: other, expected: FIELDS[decision].join(', ') });
}
