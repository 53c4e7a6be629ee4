import { canonicalJson, type Proposal } from '@proffer/core';
import type { Served } from '../space/tools.js';

/** A call as it was shown, to see later whether anything about it changed. */
export interface ShownCall {
  readonly proposal: Proposal;
  readonly by: string | undefined;
  /** The tool as its server described it. */
  readonly definition: string;
}

/** Takes note of what is shown. */
export function showCall(proposal: Proposal, served: Served | undefined): ShownCall {
  return { proposal, by: served?.by, definition: canonicalJson(served?.definition ?? {}) };
}

/**
 * What changed about a call since it was shown, in words; nothing if it may be decided as it was shown (O-35).
 *
 * @param now - what is known of it; nothing if it is gone
 */
export function changeSince(
  shown: ShownCall,
  now: Proposal | undefined,
  served: Served | undefined,
): string | undefined {
  if (now === undefined || now.phase !== 'pending') return 'is no longer pending';
  if (now.digest !== shown.proposal.digest) return 'is another call now';
  const before = new Set(shown.proposal.rejections.keys());
  const rejected = [...now.rejections.keys()].find((name) => !before.has(name));
  if (rejected !== undefined) return `was rejected by ${rejected} meanwhile`;
  if (served?.by !== shown.by) return 'would be run by somebody else now';
  if (canonicalJson(served?.definition ?? {}) !== shown.definition)
    return 'is for a tool that was changed meanwhile';
  return undefined;
}
