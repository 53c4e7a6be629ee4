import type { Proposal } from '@proffer/core/operations';
import { useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { Action } from './action.js';
import { capabilityFor } from './allowance.js';
import { ruleMaker } from './make-rule.js';
import { panel } from './panel.js';

const allow = (): void => panel.set('allow');
const delegate = (): void => panel.set('delegate');

/** Actions besides deciding, for those who may: allow the same from now on, and delegate the review. */
export function More({ space, proposal }: { readonly space: Space; readonly proposal: Proposal }) {
  const rights = space.rights();
  const { proposer, review } = proposal;
  const capability = capabilityFor(proposal);
  // Under a review policy each call is approved separately: a grant would change nothing.
  const mayAllow = review === undefined && capability !== undefined && rights.mayGrant(proposer, capability);
  // Only those with a part in a review can delegate it; without a policy there are no parts.
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
      {/* Next to the grant, if there is one. */}
      {makeRule !== undefined && !mayAllow && (
        <Action icon="rules" keyName="m" isQuiet onAct={makeRule}>
          Make a rule …
        </Action>
      )}
    </div>
  );
}
