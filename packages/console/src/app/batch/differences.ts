import { compareCalls } from '@proffer/core/approvals';
import { type Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';

/** Calls are also compared for the row in the list, where a sample is enough. */
const LOOKED_AT = 50;

/** How similar calls differ, on one line. */
export function differencesOf(proposals: readonly Proposal[]): string {
  const { differing } = compareCalls(proposals.slice(0, LOOKED_AT));
  if (differing.length === 0) return 'all the same';
  return `they differ in ${differing.map(plainLine).join(', ')}`;
}

/** Their proposers, each once. */
export function proposersOf(proposals: readonly Pick<Proposal, 'proposer'>[]): readonly string[] {
  return [...new Set(proposals.map(({ proposer }) => proposer))];
}
