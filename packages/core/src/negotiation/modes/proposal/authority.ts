import type { Terms } from '../terms.js';

/** Whether a sender may commit: the initiator, or those that the policy designates. */
export function mayCommit({ rules, initiator, participants }: Terms, sender: string): boolean {
  switch (rules.commitment.authority) {
    case 'initiator_only':
      return sender === initiator;
    case 'any_participant':
      return sender === initiator || participants.has(sender);
    case 'designated_role':
      return rules.commitment.designated_roles.includes(sender);
  }
}

/** Whether a sender may send a message of this type at all. */
export function maySend(terms: Terms, messageType: string, sender: string): boolean {
  return messageType === 'Commitment' ? mayCommit(terms, sender) : terms.participants.has(sender);
}

/** Whether a name has any part in the session: it started it, may speak in it or may commit. */
export function takesPart(terms: Terms, name: string): boolean {
  return name === terms.initiator || terms.participants.has(name) || mayCommit(terms, name);
}

/** Every name of which {@link takesPart} is true, once. */
export function namesTakingPart({ rules, initiator, participants }: Terms): ReadonlySet<string> {
  const { authority, designated_roles } = rules.commitment;
  return new Set([initiator, ...participants, ...(authority === 'designated_role' ? designated_roles : [])]);
}

/**
 * Whether the initiator has a way to accept a proposal: only participants send Accept; one outside can
 * but commit, where the policy takes that for an acceptance.
 */
export function initiatorCanAccept(terms: Terms): boolean {
  const { initiator, participants, rules } = terms;
  if (participants.has(initiator)) return true;
  return rules.acceptance.commitment_accepts && mayCommit(terms, initiator);
}
