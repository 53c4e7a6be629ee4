import { defined } from '@proffer/core/json';
import type { CallFacts } from './call-facts.js';
import type { JudgedCall } from './conditions/condition.js';
import { decisionOf, judgedCall, type RuleDecision, type RuleReference } from './decide-by-rules.js';
import type { Rule, RuleAction, RuleSet } from './rule-set.js';
import { isSpent, type RuleUsage } from './rule-usage.js';

/** A condition of a rule, and what the call has there. */
export interface ComparedCondition {
  /** What it looks at, as in `arguments.path`. */
  readonly condition: string;
  readonly expected: string;
  readonly found: string;
}

/** A rule that was tried. */
export interface TriedRule {
  readonly rule: RuleReference;
  readonly action: RuleAction;
  readonly matched: boolean;
  /** For a rule that did not match: the first condition that failed. */
  readonly failed?: ComparedCondition;
  /** For a rule that matched: the conditions that hold. */
  readonly held: readonly ComparedCondition[];
  /** For a rule that matched: the conditions that are unclear and count as met. */
  readonly doubtful: readonly ComparedCondition[];
}

/** How the rules reach their decision. */
export interface RuleExplanation {
  /** The result of {@link decideByRules}. */
  readonly decision: RuleDecision;
  /** Every rule up to the one that matched, in order. */
  readonly tried: readonly TriedRule[];
}

/**
 * What the rules say about a call, why the deciding rule matches, and why each one before it does
 * not. Pure.
 *
 * @param usage - how often rules have allowed something. Without it, rates are ignored
 */
export function explainByRules(rules: RuleSet, call: CallFacts, usage?: RuleUsage): RuleExplanation {
  const judged = judgedCall(rules, call);
  const tried: TriedRule[] = [];
  for (const rule of rules.rules) {
    const one = tryRule(rule, judged, usage);
    tried.push(one);
    if (one.matched) return { decision: decisionOf(rules, call, rule), tried };
  }
  return { decision: decisionOf(rules, call), tried };
}

function tryRule(rule: Rule, call: JudgedCall, usage: RuleUsage | undefined): TriedRule {
  const { name, index, line, action } = rule;
  const about = { rule: { ...defined({ name }), index, line }, action };
  const held: ComparedCondition[] = [];
  const doubtful: ComparedCondition[] = [];
  for (const condition of rule.conditions) {
    const verdict = condition.judge(call);
    const compared = {
      condition: condition.about,
      expected: condition.expected,
      found: condition.found(call),
    };
    if (verdict === 'no' || (verdict === 'doubt' && action === 'allow')) {
      return { ...about, matched: false, failed: compared, held: [], doubtful: [] };
    }
    if (verdict === 'doubt') doubtful.push(compared);
    else if (condition.isImplied !== true) held.push(compared);
  }
  const { rate } = rule;
  if (rate !== undefined) {
    const found = usage === undefined ? 'not counted here' : `${usage.used(rule, call.time)} so far`;
    const compared = { condition: 'rate', expected: rate.text, found };
    if (isSpent(rule, usage, call.time)) {
      return { ...about, matched: false, failed: compared, held: [], doubtful: [] };
    }
    held.push(compared);
  }
  return { ...about, matched: true, held, doubtful };
}
