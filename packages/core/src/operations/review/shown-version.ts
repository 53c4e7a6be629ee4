import { digestJson } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { objectOf } from '../../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { definitionOf } from '../participant.js';
import type { Proposal } from '../proposal/proposal.js';

/**
 * What an approver says it was shown (O-35): the proposal's version, who would run it, and what that
 * participant announced.
 */
export type ShownVersion = {
  readonly version?: number;
  /** Who had rejected it, for approvers that do not send the version. */
  readonly rejectedBy?: readonly string[];
  readonly executor?: string;
  /** Who served the tool before, if the executor would run it for the first time (O-26). */
  readonly insteadOf?: string;
  readonly definition?: string;
};

/**
 * The refusal of an approval by one tap that does not say what its message showed (O-35): it would run whatever is
 * there by now.
 */
export function checkSaysShown(proposal: string, seen: JsonValue | undefined): Refusal | undefined {
  const { version, executor } = objectOf(seen);
  if (version !== undefined && executor !== undefined) return undefined;
  const sentence = `The notification did not show who would run ${quote(proposal)}. Open the proposal to approve it.`;
  return refuse('changed_since_shown', sentence, { proposal, changed: ['executor'] });
}

const digests = new WeakMap<JsonObject, string>();

/** The digest of an announced tool, prompt or resource; computed once per announcement. */
export function definitionDigest(definition: JsonObject | undefined): string | undefined {
  if (definition === undefined) return undefined;
  const known = digests.get(definition);
  if (known !== undefined) return known;
  const digest = digestJson(definition);
  digests.set(definition, digest);
  return digest;
}

/**
 * The refusal of an approval of something that has changed since it was shown (O-35): it was rejected
 * or countered since, someone else would run it, or its executor announced something else. Not
 * checked if the approver does not say what it saw.
 */
export function checkShownVersion(
  proposal: Proposal,
  { seen, executor }: { readonly seen: JsonValue | undefined; readonly executor: string | undefined },
  { space }: ProposalContext,
): Refusal | undefined {
  if (!isJsonObject(seen)) return undefined;
  const { version, rejectedBy, executor: shown, definition } = seen;
  const changed: string[] = [];
  const isOld = typeof version === 'number' && proposal.newsAt > version;
  if (isOld || (isJsonArray(rejectedBy) && hasNewRejection(proposal, rejectedBy))) changed.push('objection');
  if (shown !== undefined && executor !== shown) changed.push('executor');
  const { subject } = proposal;
  if (definition !== undefined && executor !== undefined && subject !== undefined && changed.length === 0) {
    if (definitionDigest(definitionOf(space.participants.get(executor), subject)) !== definition)
      changed.push('definition');
  }
  if (changed.length === 0) return undefined;
  const sentence = `${quote(proposal.id)} has changed since it was shown: ${changed.map((what) => WORDS[what]).join(', ')}.`;
  return refuse('changed_since_shown', sentence, {
    proposal: proposal.id,
    changed,
    version: proposal.version,
    executor,
    rejectedBy: [...proposal.rejections.keys()],
  });
}

function hasNewRejection({ rejections }: Proposal, known: readonly JsonValue[]): boolean {
  for (const name of rejections.keys()) if (!known.includes(name)) return true;
  return false;
}

const WORDS: Readonly<Record<string, string>> = {
  objection: 'someone rejected it or made a counter-offer',
  executor: 'someone else would run it',
  definition: 'the definition of the tool changed',
};
