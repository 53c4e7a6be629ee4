import { canonicalJson } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';
import type { Runner } from '../space/runner.js';

/** A call as it was shown, to see later whether anything about it changed. */
export interface ShownCall {
  readonly proposal: Proposal;
  /** The executor that was shown; `undefined` if it was unknown, or there was none. */
  readonly by: string | undefined;
  /** The tool as that executor described it. */
  readonly definition: string;
}

/** Records what is shown. */
export function showCall(proposal: Proposal, { name, served }: Runner): ShownCall {
  return { proposal, by: name, definition: canonicalJson(served?.definition ?? {}) };
}

/**
 * What changed about a call since it was shown, as text; `undefined` if it may be decided as it was shown
 * (O-35).
 *
 * @param now - its current state; `undefined` if it is gone
 */
export function changeSince(
  shown: ShownCall,
  now: Proposal | undefined,
  { name, served }: Runner,
): string | undefined {
  if (now === undefined || now.phase !== 'pending') return 'is no longer pending';
  if (now.digest !== shown.proposal.digest) return 'is another call now';
  const before = new Set(shown.proposal.rejections.keys());
  const rejected = [...now.rejections.keys()].find((name) => !before.has(name));
  if (rejected !== undefined) return `was rejected by ${rejected} in the meantime`;
  if (name !== shown.by) return 'would be run by someone else now';
  if (canonicalJson(served?.definition ?? {}) !== shown.definition)
    return 'is for a tool that has changed since';
  return undefined;
}
