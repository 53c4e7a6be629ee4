import type { JsonObject } from '../../json/json.js';
import { QUORUM_MODE } from '../modes/quorum/name.js';
import type { QuorumRules } from '../modes/quorum/rules.js';
import { inMode } from './in-mode.js';
import { commit, type Step, send, start, startUnder } from './steps.js';

/** Who approves in the stories of Quorum Mode; `lead`, who is none of them, starts and commits. */
export const APPROVERS = ['ann', 'bob', 'eve'] as const;

/** Starts an approval as `lead`. */
export function startApproval(change: JsonObject = {}): Step {
  return inMode(QUORUM_MODE, start({ participants: [...APPROVERS], ...change }, 'lead'));
}

/** Starts an approval under these rules. */
export function approveUnder(rules: QuorumRules, change: JsonObject = {}): Step {
  return inMode(QUORUM_MODE, startUnder(rules, { participants: [...APPROVERS], ...change }, 'lead'));
}

export function ask(required_approvals: number, sender = 'lead', request_id = 'r1'): Step {
  const payload = { request_id, action: 'deploy', summary: 'Deploy version 2', required_approvals };
  return inMode(QUORUM_MODE, send(sender, 'ApprovalRequest', payload));
}

/** Casts a ballot: `Approve`, `Reject` or `Abstain`. */
export function cast(sender: string, ballot: string, request_id = 'r1'): Step {
  return inMode(QUORUM_MODE, send(sender, ballot, { request_id, reason: 'so' }));
}

/** Commits an outcome as `lead`, positive unless said otherwise. */
export function conclude(outcome_positive = true, change: JsonObject = {}, sender = 'lead'): Step {
  return inMode(QUORUM_MODE, commit(sender, { outcome_positive, ...change }));
}
