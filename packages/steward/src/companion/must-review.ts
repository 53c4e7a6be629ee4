import { type Refusal, refuse } from '@proffer/core';
import type { SpaceRequest } from '@proffer/gateway';

const NEEDED = 'mcpx.reject.proposal';

/** Refuses those who may not decide proposals of others. */
export function mustReview({ may }: Pick<SpaceRequest, 'may'>): Refusal | undefined {
  if (may(NEEDED)) return undefined;
  const what = 'Suggestions and drafts of rules are for those who may reject proposals.';
  return refuse('capability_violation', what, { missing: NEEDED });
}
