import type { Proposal } from '@proffer/core';
import { plainLine } from '../text/marked.js';
import { listOf } from '../text/words.js';

/** How far the approvals are that a policy asks for, such as `1 of 2 approvals, waiting for finance`; nothing without one. */
export function missingApprovals({
  approvals,
  phase,
}: Pick<Proposal, 'approvals' | 'phase'>): string | undefined {
  const { given, needed, missing = [] } = approvals.at(-1) ?? {};
  if (phase !== 'pending' || given === undefined || needed === undefined) return undefined;
  const names = missing.map((name) => plainLine(name.replace(/^role:/, '')));
  const waiting = names.length === 0 ? '' : `, waiting for ${listOf(names, 'or')}`;
  return `${given} of ${needed} approvals${waiting}`;
}
