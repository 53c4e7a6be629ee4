import type { Terms } from './negotiation.js';

/** Whether a sender may commit: the initiator, or whom the policy designates. */
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
