import type { Envelope } from '../../envelope/envelope.js';
import type { Requester } from '../records.js';

/** The delegator of a part in a review: the name, and the person as far as policies care. */
export type Delegator = Requester & { readonly by: string };

/** A delegation of a part in reviews for a while (O-34). */
export type Delegation = Delegator & {
  readonly to: string;
  /** The delegator was configured: if it no longer is, the delegation is void. */
  readonly configured?: true;
  /** Milliseconds since 1970. */
  readonly until: number;
};

/** The facts of a delegation record; without `to` it takes back the previous one. */
export type DelegationFacts = Requester & {
  readonly to?: string;
  readonly until?: number;
  readonly configured?: true;
};

/** Whether a delegation is in force at a moment. */
export function isInForce({ until }: Pick<Delegation, 'until'>, now: number): boolean {
  return now < until;
}

/** The delegation that a record makes; `undefined` if it takes one back. */
export function delegationOf(by: string, facts: DelegationFacts): Delegation | undefined {
  const { to, until, subject, roles, configured } = facts;
  if (to === undefined || until === undefined) return undefined;
  return {
    by,
    to,
    until,
    ...(subject === undefined ? {} : { subject }),
    ...(roles === undefined ? {} : { roles }),
    ...(configured === undefined ? {} : { configured }),
  };
}

/** The delegations of a proposal after another one by the same approver, who has one at a time. */
export function withDelegation(
  delegations: readonly Delegation[],
  by: string,
  delegation: Delegation | undefined,
): readonly Delegation[] {
  const others = delegations.filter((each) => each.by !== by);
  return delegation === undefined ? others : [...others, delegation];
}

/** The delegate in a message, and the end time. The envelope is already validated. */
export function readDelegation({ payload }: Envelope): { readonly to?: string; readonly until?: number } {
  const { to, until, revoke } = payload;
  if (revoke === true || typeof to !== 'string') return {};
  return { to, until: typeof until === 'string' ? Date.parse(until) : Number(until) };
}
