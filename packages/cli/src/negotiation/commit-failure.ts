import { MacpError } from '@proffer/client/negotiation';
import type { AnySession } from './any-session.js';
import { commitOptions } from './commit-options.js';
import type { FailureWording } from './failures.js';
import type { Hint } from './hint.js';

/** Adds to the refusal of a positive outcome that a negative one can be committed, if only that is so. */
export function explainCommit(error: unknown, session: AnySession, { command }: Hint): FailureWording {
  if (!(error instanceof MacpError) || error.code !== 'POLICY_DENIED') return {};
  const { outcomes = [], committer } = session.projection.explain() ?? {};
  if (outcomes.includes('positive') || committer === undefined || outcomes.length === 0) return {};
  const options = ` --negative${commitOptions(session.projection, committer)}`;
  const negative = command('commit', [session.sessionId], { options, sender: committer });
  return { next: [`${negative}   # commits that there is no agreement`] };
}
