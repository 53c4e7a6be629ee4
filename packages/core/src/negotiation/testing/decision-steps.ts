import type { JsonObject } from '../../json/json.js';
import { DECISION_MODE } from '../modes/decision/name.js';
import type { DecisionRules } from '../modes/decision/rules.js';
import { inMode } from './in-mode.js';
import { commit, type Step, send, start, startUnder } from './steps.js';

/** Who decides in the stories of Decision Mode; `lead` starts and commits. */
export const DECIDERS = ['lead', 'ann', 'bob'] as const;

const say = (sender: string, type: string, payload: JsonObject): Step =>
  inMode(DECISION_MODE, send(sender, type, payload));

/** Starts a decision as `lead`. */
export function startDecision(change: JsonObject = {}): Step {
  return inMode(DECISION_MODE, start({ participants: [...DECIDERS], ...change }, 'lead'));
}

/** Starts a decision under these rules. */
export function decideUnder(rules: DecisionRules, change: JsonObject = {}): Step {
  return inMode(DECISION_MODE, startUnder(rules, { participants: [...DECIDERS], ...change }, 'lead'));
}

export function suggest(sender: string, proposal_id: string): Step {
  return say(sender, 'Proposal', { proposal_id, option: `Option ${proposal_id}` });
}

export function evaluate(
  sender: string,
  proposal_id: string,
  recommendation: string,
  confidence = 0.5,
): Step {
  return say(sender, 'Evaluation', { proposal_id, recommendation, confidence, reason: 'looked at it' });
}

export function object(sender: string, proposal_id: string, severity: string): Step {
  return say(sender, 'Objection', { proposal_id, severity, reason: 'wait' });
}

export function vote(sender: string, proposal_id: string, choice: string): Step {
  return say(sender, 'Vote', { proposal_id, vote: choice });
}

/** Commits an outcome as `lead`, positive unless said otherwise. */
export function settle(outcome_positive = true, change: JsonObject = {}, sender = 'lead'): Step {
  return inMode(DECISION_MODE, commit(sender, { outcome_positive, ...change }));
}
