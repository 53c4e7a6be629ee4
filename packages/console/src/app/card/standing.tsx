import { isDelegationInForce, type Proposal, waitsFor } from '@proffer/core/operations';
import { useMemo } from 'preact/hooks';
import { isSigned } from '../decide/decisions.js';
import { sendRemark } from '../decide/remarks.js';
import { PlanChain } from '../plan/plan-chain.js';
import { planOf } from '../plan/plan-of.js';
import type { Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { go, writeRoute } from '../state/route.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';

interface StandingProps {
  readonly space: Space;
  readonly proposal: Proposal;
}

/** What else matters for the decision: dependencies, failed ones, and delegations. */
export function Standing({ space, proposal }: StandingProps) {
  const now = useNow(10_000);
  const changes = useStore(space.changes);
  const { id, phase, delegations, dependencies } = proposal;
  const isOpen = phase === 'pending' || phase === 'approved';
  const waited = isOpen ? waitsFor(proposal) : [];
  const failed = dependencies?.failed ?? [];
  const handed = phase === 'pending' ? delegations.filter((each) => isDelegationInForce(each, now)) : [];
  const steps = useMemo(
    () => (isOpen ? planOf(proposal, space.proposals.values()) : []),
    [proposal, changes],
  );
  const drawn = new Set(steps.map((step) => step.proposal.id));
  const isToSign = phase === 'pending' && isSigned(space, proposal);
  if (!isToSign && waited.length + failed.length + handed.length + steps.length === 0) return null;
  const takeBack = (): void =>
    void sendRemark(id, 'You decide this call yourself again.', () => space.participant.undelegate(id));
  return (
    <ul class="standing" data-section="standing">
      {isToSign && <li>An approval of this call is signed with a passkey: a finger, a face or a PIN.</li>}
      {steps.length > 0 && (
        <li>
          <PlanChain space={space} steps={steps} id={id} />
        </li>
      )}
      {waited
        .filter((other) => !drawn.has(other))
        .map((other) => (
          <li key={other}>
            {phase === 'approved' ? 'Approved; runs after' : 'Runs only after'}{' '}
            <Link space={space} id={other} />
            {' is done'}
          </li>
        ))}
      {failed.map(({ dependency, outcome }) => (
        <li key={dependency} class="tone-bad">
          <Link space={space} id={dependency} />, which it depended on: {outcome}
        </li>
      ))}
      {handed.map(({ by, to, until }) => (
        <li key={by}>
          <b>{to === space.me ? 'You' : <Marked text={to} />}</b> {to === space.me ? 'decide' : 'decides'} for{' '}
          <b>{by === space.me ? 'you' : <Marked text={by} />}</b> · ends <When at={until} />
          {by === space.me && (
            <>
              {' '}
              <button type="button" class="quiet" onClick={takeBack}>
                Take back
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Link({ space, id }: { readonly space: Space; readonly id: string }) {
  const to = { space: space.name, view: 'proposals', item: id } as const;
  return (
    <a
      class="mono"
      href={writeRoute(to)}
      onClick={(event) => {
        event.preventDefault();
        go(to);
      }}
    >
      <Marked text={id} />
    </a>
  );
}
