import { defined, quote } from '@proffer/core/json';
import type { CallFacts } from './call-facts.js';
import type { JudgedCall } from './conditions/condition.js';
import { hintsFor } from './hints.js';
import { candidateRules } from './rule-index.js';
import type { Rule, RuleAction, RuleSet } from './rule-set.js';
import { isSpent, type RuleUsage } from './rule-usage.js';
import { isTrustTool } from './trust-tool.js';

/** Which rule matched. */
export interface RuleReference {
  readonly name?: string;
  /** From 0. */
  readonly index: number;
  /** From 1. */
  readonly line: number;
}

/** What the rules say about a call. */
export interface RuleDecision {
  readonly action: RuleAction;
  /** One sentence for people. */
  readonly reason: string;
  /** The rule that matched; absent if the default applies. */
  readonly rule?: RuleReference;
  /** What that rule names, if it is not about tools. */
  readonly subject?: 'resource' | 'prompt';
  /** The version of the rule set. */
  readonly version: string;
}

/** What hooks name in place of a version if no rule decided: a protection of Proffer, or the agent's own settings. */
export const WITHOUT_RULES = { builtIn: 'built-in', agentSettings: 'agent-settings' } as const;

/**
 * What the rules say about a call: the first rule whose conditions all hold, else the default. Counts
 * nothing. In doubt (a path that is not plain, an unknown server) a rule that allows does not match,
 * and one that asks or denies does.
 *
 * @param usage - how often rules have allowed something. Without it, rates are ignored
 */
export function decideByRules(rules: RuleSet, call: CallFacts, usage?: RuleUsage): RuleDecision {
  const judged = judgedCall(rules, call);
  for (const rule of candidateRules(rules.index, call)) {
    if (matches(rule, judged) && !isSpent(rule, usage, call.time)) return decisionOf(rules, call, rule);
  }
  return decisionOf(rules, call);
}

/** The call with the hints that apply to it. */
export function judgedCall(rules: RuleSet, call: CallFacts): JudgedCall {
  return { ...call, hints: hintsFor(rules.hints, call) };
}

/** A rule's decision, or the default's if no rule matched. */
export function decisionOf(
  { otherwise, version }: RuleSet,
  { tool }: Pick<CallFacts, 'tool'>,
  rule?: Rule,
): RuleDecision {
  if (rule === undefined) {
    if (otherwise.action === 'allow' && isTrustTool(tool)) {
      return {
        action: 'ask',
        reason: 'A person must decide whether to trust a server or a changed tool.',
        version,
      };
    }
    const { action, reason = `No rule matches; the default is to ${action}.` } = otherwise;
    return { action, reason, version };
  }
  const { name, index, line, action, subject } = rule;
  const reason = rule.reason ?? `${describeRule(rule)} says ${action}.`;
  const reference = { ...defined({ name }), index, line };
  return { action, reason, rule: reference, ...defined({ subject }), version };
}

/** How messages refer to a rule. */
export function describeRule({ name, line }: Pick<RuleReference, 'name' | 'line'>): string {
  return name === undefined ? `The rule on line ${line}` : `Rule ${quote(name)} (line ${line})`;
}

function matches({ action, conditions }: Rule, call: JudgedCall): boolean {
  for (const { judge } of conditions) {
    const verdict = judge(call);
    if (verdict === 'no' || (verdict === 'doubt' && action === 'allow')) return false;
  }
  return true;
}
