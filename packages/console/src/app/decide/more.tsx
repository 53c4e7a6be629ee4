import type { Proposal } from '@proffer/core/operations';
import { useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { Action } from './action.js';
import { capabilityFor } from './allowance.js';
import { ruleMaker } from './make-rule.js';
import { panel } from './panel.js';

const allow = (): void => panel.set('allow');
const delegate = (): void => panel.set('delegate');

/** What can be done besides deciding, with the right to: allow the same from now on, and delegate the review. */
export function More({ space, proposal }: { readonly space: Space; readonly proposal: Proposal }) {
  const rights = space.rights();
  const { proposer, review } = proposal;
  const capability = capabilityFor(proposal);
  // Under a review policy each call is approved separately: a grant would change nothing.
  const mayAllow = review === undefined && capability !== undefined && rights.mayGrant(proposer, capability);
  // Only who has a part in a review can hand it over; without a policy there are no parts.
  const mayDelegate = review !== undefined && proposer !== space.me && rights.mayDelegate;
  const makeRule = ruleMaker(space, proposal);
  useKeys({
    h: mayAllow ? allow : undefined,
    d: mayDelegate ? delegate : undefined,
    m: makeRule,
  });
  if (!mayAllow && !mayDelegate && makeRule === undefined) return null;
  return (
    <div class="beside">
      {mayAllow && (
        <Action icon="clock" keyName="h" isQuiet onAct={allow}>
          Allow for …
        </Action>
      )}
      {mayDelegate && (
        <Action icon="people" keyName="d" isQuiet onAct={delegate}>
          Hand over
        </Action>
      )}
      {/* Beside what else allows it from now on, where there is that. */}
      {makeRule !== undefined && !mayAllow && (
        <Action icon="rules" keyName="m" isQuiet onAct={makeRule}>
          Make a rule …
        </Action>
      )}
    </div>
  );
}
