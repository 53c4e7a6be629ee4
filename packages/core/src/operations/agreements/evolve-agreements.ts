import type { Proposal } from '../proposal/proposal.js';
import type { Agreed, Approved } from '../records.js';
import type { ReceivedAgreement } from './agreement.js';

const NO_AGREEMENTS: readonly ReceivedAgreement[] = [];

type Changes = Partial<Pick<Proposal, 'agreements'>>;

/** The effect of an agreement: its acceptances are counted as soon as the call could run. A negative one has none. */
export function withAgreement(
  { agreements = NO_AGREEMENTS }: Pick<Proposal, 'agreements'>,
  { facts: { agreement } }: Agreed,
): Changes {
  return { agreements: [...agreements, { ...agreement, isCounted: !agreement.positive }] };
}

/** The effect of an approval from a session: it is counted only once. */
export function countedIn(
  { agreements }: Pick<Proposal, 'agreements'>,
  { facts: { session } }: Pick<Approved, 'facts'>,
): Changes {
  if (agreements === undefined || session === undefined) return {};
  return {
    agreements: agreements.map((each) => (each.session === session ? { ...each, isCounted: true } : each)),
  };
}

/** The agreements that are not counted yet. */
export function uncountedIn({ agreements }: Pick<Proposal, 'agreements'>): readonly ReceivedAgreement[] {
  return agreements?.filter(({ isCounted }) => !isCounted) ?? NO_AGREEMENTS;
}
