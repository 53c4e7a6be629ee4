import type { Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { go } from '../state/route.js';
import { capabilityFor } from './allowance.js';
import { closePanel, panel } from './panel.js';

/** What else can be done about a call, for those who may. */
export interface Actions {
  /** Opens what to allow from now on. */
  readonly allow?: (() => void) | undefined;
  /** Opens to whom the review is delegated. */
  readonly delegate?: (() => void) | undefined;
  /** Opens the draft of a rule. */
  readonly makeRule?: (() => void) | undefined;
}

const allow = (): void => panel.set('allow');
const delegate = (): void => panel.set('delegate');

/** What the user may do about a call besides deciding it. */
export function actionsOn(space: Space, proposal: Proposal): Actions {
  const rights = space.rights();
  const { proposer, review } = proposal;
  const capability = capabilityFor(proposal);
  // Under a review policy each call is approved separately: a grant would change nothing.
  const mayAllow = review === undefined && capability !== undefined && rights.mayGrant(proposer, capability);
  // Only those with a part in a review can delegate it; without a policy there are no parts.
  const mayDelegate = review !== undefined && proposer !== space.me && rights.mayDelegate;
  return {
    allow: mayAllow ? allow : undefined,
    delegate: mayDelegate ? delegate : undefined,
    makeRule: ruleMaker(space, proposal),
  };
}

/**
 * Opens the draft of a rule from a call; `undefined` if the user may not do that, or it is not a tool call.
 */
export function ruleMaker(space: Space, proposal: Proposal): (() => void) | undefined {
  if (proposal.method !== 'tools/call' || !space.rights().mayReject(proposal)) return undefined;
  return () => {
    closePanel();
    go({ view: 'rules', item: proposal.id });
  };
}
