import { whyNotApprove } from '../proposals/may-approve.js';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';

/**
 * The operation that a notice reports with an unknown outcome (O-23), if it was approved here; it is no
 * longer waited for.
 */
export function unknownIn(
  { kind, payload }: LoggedMessage,
  approved: Map<string, string>,
): string | undefined {
  const { notice, request } = payload;
  if (kind !== 'system.notice' || notice !== 'outcome_unknown' || typeof request !== 'string')
    return undefined;
  const operation = approved.get(request);
  approved.delete(request);
  return operation;
}

/** What the reader may approve depends on who they are; resolved again when the gateway reports it again. */
export function whyNotFor(members: readonly Present[] | undefined) {
  const [reader] = members ?? [];
  return reader === undefined ? undefined : whyNotApprove(reader);
}
