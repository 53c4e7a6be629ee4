import type { Envelope } from '../../envelope/envelope.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { Delegated } from '../records.js';
import type { SpaceState } from '../space/space.js';
import { audienceOf, checkDelegation, delegationFacts } from './decide-delegate.js';

/**
 * A participant delegates its part in all reviews, or takes it back (O-34). Whether it has a part is
 * checked with each proposal: the policy may name it later.
 */
export function delegateAll(
  _space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: Delegated } | { readonly refused: Refusal } {
  const { from: participant } = envelope;
  const facts = delegationFacts(envelope, context);
  const refused = checkDelegation(envelope, facts, context.now);
  if (refused !== undefined) return { refused };
  const record: Delegated = {
    type: 'delegated',
    time: context.now,
    principal: participant,
    envelope,
    facts: { participant, fingerprint: fingerprint(envelope), audience: audienceOf(facts), ...facts },
  };
  return { record };
}
