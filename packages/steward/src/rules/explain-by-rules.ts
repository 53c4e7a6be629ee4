import type { CallFacts } from './call-facts.js';
import { decisionOf, judgedCall, type RuleDecision, type RuleReference } from './decide-by-rules.js';
import type { RuleAction, RuleSet } from './rule-set.js';

/** The first condition of a rule that did not hold. */
export interface FailedCondition {
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
  /** Why it did not match. */
  readonly failed?: FailedCondition;
  /** The conditions of a matching rule that could not be told and count as met. */
  readonly doubtful: readonly FailedCondition[];
}

/** How the rules come to what they say. */
export interface RuleExplanation {
  /** What {@link decideByRules} says. */
  readonly decision: RuleDecision;
  /** Every rule up to the one that matched, in their order. */
  readonly tried: readonly TriedRule[];
}

/** What the rules say about a call, and why each rule before the one that matched did not. Pure. */
export function explainByRules(rules: RuleSet, call: CallFacts): RuleExplanation {
  const judged = judgedCall(rules, call);
  const tried: TriedRule[] = [];
  for (const rule of rules.rules) {
    const { name, index, line, action } = rule;
    const reference = { ...(name === undefined ? {} : { name }), index, line };
    const doubtful: FailedCondition[] = [];
    let failed: FailedCondition | undefined;
    for (const { about, expected, judge, found } of rule.conditions) {
      const verdict = judge(judged);
      if (verdict === 'yes') continue;
      const shortfall = { condition: about, expected, found: found(judged) };
      if (verdict === 'doubt' && action !== 'allow') {
        doubtful.push(shortfall);
        continue;
      }
      failed = shortfall;
      break;
    }
    const matched = failed === undefined;
    tried.push({
      rule: reference,
      action,
      matched,
      ...(failed === undefined ? {} : { failed }),
      doubtful: matched ? doubtful : [],
    });
    if (matched) return { decision: decisionOf(rules, call, rule), tried };
  }
  return { decision: decisionOf(rules, call), tried };
}
