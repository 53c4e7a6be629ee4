import { quote } from '../../json/describe.js';
import { formatPath, type JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { section } from '../policy/rule-sections.js';
import { name } from '../wire/identifiers.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import { type FieldReader, listOf, oneOf } from '../wire/readers.js';
import type { Eligibility } from './eligibility.js';
import type { Terms } from './terms.js';

/** The rules about who may commit, for every mode that has them under `commitment`. */
export type CommitmentRules = {
  readonly authority: 'initiator_only' | 'any_participant' | 'designated_role';
  /** The senders who may commit; only for `designated_role`. */
  readonly designated_roles: readonly string[];
};

type CommittingTerms = Terms<{ readonly commitment: CommitmentRules }>;

/** Parses {@link CommitmentRules} and whatever a mode adds to them. Refuses empty designated roles. */
export function commitmentRulesWith<More extends JsonObject>(
  defaults: More,
  readers: { readonly [Name in keyof More]-?: FieldReader<More[Name]> },
): FieldReader<CommitmentRules & More> {
  const whole = section<JsonObject>(
    { authority: 'initiator_only', designated_roles: [], ...defaults },
    {
      authority: oneOf('initiator_only', 'any_participant', 'designated_role'),
      designated_roles: listOf(name),
      ...readers,
    },
  ) as FieldReader<CommitmentRules & More>;
  return (found, path) => {
    const reading = whole(found, path);
    if (!reading.ok) return reading;
    const { authority, designated_roles } = reading.value;
    if (authority !== 'designated_role' || designated_roles.length > 0) return reading;
    const field = formatPath([...path, 'designated_roles']);
    const expected = 'at least one name, or nobody could commit';
    return { ok: false, problem: { field, found: 'an empty list', expected } };
  };
}

/** Parses {@link CommitmentRules}. Refuses empty designated roles. */
export const commitmentRules: FieldReader<CommitmentRules> = commitmentRulesWith({}, {});

/** Whether a sender may commit: the initiator, or those designated by the policy. */
export function mayCommit({ rules, initiator, participants }: CommittingTerms, sender: string): boolean {
  switch (rules.commitment.authority) {
    case 'initiator_only':
      return sender === initiator;
    case 'any_participant':
      return sender === initiator || participants.has(sender);
    case 'designated_role':
      return rules.commitment.designated_roles.includes(sender);
  }
}

/** Who may commit, for the end of a sentence. */
export function describeCommitters({ rules, initiator }: CommittingTerms): string {
  switch (rules.commitment.authority) {
    case 'initiator_only':
      return `only the initiator ${quote(initiator)} may`;
    case 'any_participant':
      return 'only participants and the initiator may';
    case 'designated_role':
      return `the policy designates ${describeNames(rules.commitment.designated_roles)}`;
  }
}

/** The explanation for someone who may not commit at all. */
export function explainAuthority<Explained extends Eligibility>(
  eligibility: Explained,
  terms: CommittingTerms,
): Explained {
  const { committer } = eligibility;
  if (mayCommit(terms, committer)) return eligibility;
  const reason = `${quote(committer)} may not commit: ${describeCommitters(terms)}.`;
  return { ...eligibility, outcomes: [], reasons: [reason, ...eligibility.reasons] };
}

/** Whether a name takes part in the session: it started it, may send in it or may commit. */
export function takesPart(terms: CommittingTerms, name: string): boolean {
  return name === terms.initiator || terms.participants.has(name) || mayCommit(terms, name);
}

/** Every name for which {@link takesPart} is true, once. */
export function namesTakingPart({ rules, initiator, participants }: CommittingTerms): ReadonlySet<string> {
  const { authority, designated_roles } = rules.commitment;
  return new Set([initiator, ...participants, ...(authority === 'designated_role' ? designated_roles : [])]);
}

/** Participants send messages; {@link mayCommit} says who sends the Commitment. The refusal, or `undefined`. */
export function checkSender(
  terms: CommittingTerms,
  { message_type, sender }: MacpEnvelope,
): Refusal | undefined {
  const isCommitting = message_type === 'Commitment';
  if (isCommitting ? mayCommit(terms, sender) : terms.participants.has(sender)) return undefined;
  const found = quote(sender);
  if (!isCommitting) {
    const what = `${found} is not a participant of this session.`;
    return refuse('FORBIDDEN', what, { field: 'sender', found, expected: 'a declared participant' });
  }
  const who = describeCommitters(terms);
  return refuse('FORBIDDEN', `${found} may not commit: ${who}.`, { field: 'sender', found, expected: who });
}

/** The first few names, and how many more there are. */
export function describeNames(names: readonly string[], count: number = names.length): string {
  const shown = names.slice(0, 5).map(quote).join(', ');
  const left = count - Math.min(names.length, 5);
  return left > 0 ? `${shown} and ${left} more` : shown;
}
