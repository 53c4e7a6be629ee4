import type { ProposalView } from '../proposals/proposal-view.js';

/** For how long something may run without approval (O-41). */
export interface Allowance {
  readonly words: string;
  readonly bounds: { readonly ttl?: number; readonly uses?: number; readonly session?: string };
}

const HOUR = 3_600_000;

/** The choices for the keys 1, 2, …: the agent's session, if the proposal names one, comes last. */
export function allowancesFor({ origin }: Pick<ProposalView, 'origin'>): readonly Allowance[] {
  const { session } = origin ?? {};
  return [
    { words: 'for an hour', bounds: { ttl: HOUR } },
    { words: 'the next five times', bounds: { uses: 5 } },
    ...(session === undefined ? [] : [{ words: 'for this session', bounds: { session } }]),
  ];
}

/** Why this call cannot be allowed from now on; `undefined` if it can. */
export function whyNotAllowed({
  review,
  subject,
}: Pick<ProposalView, 'review' | 'subject'>): string | undefined {
  if (review !== undefined)
    return 'A review policy asks for approvals of each call, so a grant would change nothing. Approve it with a.';
  // A star in a pattern cannot be escaped.
  if (subject?.name.includes('*') === true)
    return 'A tool with a star in its name cannot be granted by itself.';
  return undefined;
}

/** The capability to call the same tool, prompt or resource again, with any arguments. */
export function capabilityFor({ method, subject }: Pick<ProposalView, 'method' | 'subject'>): string {
  return `mcp.request.${method}${subject === undefined ? '' : `:${subject.name}`}`;
}
