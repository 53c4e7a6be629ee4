import type { Proposal } from '@proffer/core/operations';
import type { Space } from '../space/space.js';
import { go } from '../state/route.js';
import { closePanel } from './panel.js';

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
