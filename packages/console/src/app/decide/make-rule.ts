import type { Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { go } from '../state/route.js';
import { closePanel } from './panel.js';

/** Goes to where a rule is drafted from a call; `undefined` where one may not, or it calls no tool. */
export function ruleMaker(space: Space, proposal: Proposal): (() => void) | undefined {
  if (proposal.method !== 'tools/call' || !space.rights().mayReject(proposal)) return undefined;
  return () => {
    closePanel();
    go({ view: 'rules', item: proposal.id });
  };
}
