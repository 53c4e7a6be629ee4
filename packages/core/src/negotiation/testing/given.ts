import type { Decision } from '../../decision.js';
import type { RefusalCode } from '../../refusal/codes.js';
import type { Negotiation } from '../modes/proposal/negotiation.js';
import type { ProposalTerms } from '../modes/proposal/rules.js';
import { lookUpIn, type PolicyLookup, policyRegistry } from '../policy/registry.js';
import { sessionDecider } from '../session/decide.js';
import type { SessionRecord } from '../session/records.js';
import type { Session, SessionState } from '../session/session.js';
import type { Step } from './steps.js';

/** When every story starts, in milliseconds since 1970. */
export const BEGINNING = 1_700_000_000_000;

/** What has happened so far. */
export interface Story {
  readonly state: SessionState;
  readonly records: readonly SessionRecord[];
  readonly now: number;
  /** Decides one more step, and applies it. */
  when(step: Step): StoryOutcome;
}

/** The result of a step. */
export interface StoryOutcome extends Story {
  readonly decision: Decision<SessionRecord>;
  /** `accepted`, `duplicate`, `late`, `nothing` for no records, or the code of the refusal. */
  readonly result: 'accepted' | 'nothing' | 'duplicate' | 'late' | RefusalCode;
}

/** A story in which all of these steps were accepted. */
export function given(...steps: readonly Step[]): Story {
  let story = tell({ state: sessionDecider.initial, records: [], now: BEGINNING, steps: 0 });
  for (const [index, step] of steps.entries()) {
    const outcome = story.when(step);
    if (outcome.result !== 'accepted') {
      const why = outcome.decision.refused?.message ?? outcome.result;
      throw new Error(`Step ${index + 1} of the story was not accepted: ${why}`);
    }
    story = outcome;
  }
  return story;
}

/** A session in Proposal Mode. */
export type ProposalStorySession = Session & {
  readonly terms: ProposalTerms;
  readonly negotiation: Negotiation;
};

/** The session of a story that has one, in Proposal Mode. */
export function sessionOf({ state }: Story): ProposalStorySession {
  if (state === undefined) throw new Error('The story has no session.');
  return state as ProposalStorySession;
}

interface Past {
  readonly state: SessionState;
  readonly records: readonly SessionRecord[];
  readonly now: number;
  readonly steps: number;
  readonly policies?: PolicyLookup;
}

function tell(past: Past): Story {
  const { state, records, now, steps } = past;
  return { state, records, now, when: (step) => decide({ ...past, steps: steps + 1 }, step) };
}

function decide(past: Past, step: Step): StoryOutcome {
  const now = step.at === undefined ? past.now : BEGINNING + step.at;
  const policies = step.policies ?? past.policies ?? lookUpIn(policyRegistry.initial);
  const decision = sessionDecider.decide(past.state, step.command(`m${past.steps}`), { now, policies });
  const added = decision.records ?? [];
  const next = tell({
    state: added.reduce(sessionDecider.evolve, past.state),
    records: [...past.records, ...added],
    now,
    steps: past.steps,
    policies,
  });
  return { ...next, decision, result: resultOf(decision) };
}

function resultOf(decision: Decision<SessionRecord>): StoryOutcome['result'] {
  if (decision.refused !== undefined) return decision.refused.code;
  if (decision.unchanged !== undefined) return decision.unchanged;
  return decision.records.length === 0 ? 'nothing' : 'accepted';
}
