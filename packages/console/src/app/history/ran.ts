import { applyChanges, objectOf } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';

const known = new WeakMap<Proposal, Proposal>();

/** A proposal with the params that ran, where a reviewer changed them; else as it was asked. */
export function asRan(proposal: Proposal): Proposal {
  const { fulfilment, params } = proposal;
  if (fulfilment === undefined || fulfilment.amendment.length === 0) return proposal;
  const before = known.get(proposal);
  if (before !== undefined) return before;
  const ran = { ...proposal, params: objectOf(applyChanges(params, fulfilment.amendment)) };
  known.set(proposal, ran);
  return ran;
}
