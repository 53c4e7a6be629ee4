import { describe, formatPath } from '@proffer/core/json';
import type { ValueReader } from '@proffer/reading';
import type { RuleDecision } from './decide-by-rules.js';
import type { Rule, RuleSet } from './rule-set.js';

/**
 * How often rules with a rate have allowed something. The decider keeps one, and passes it to {@link
 * decideByRules}. Rules are identified by name, or by content if they have none, so that counting
 * continues when the file changes.
 */
export interface RuleUsage {
  /** How many calls a rule has allowed within its rate's period before this moment. */
  used(rule: Rule, time: number): number;
  /** Counts a decision if it was made by a rule with a rate. Returns a function that undoes it. */
  count(rules: RuleSet, decision: RuleDecision, time: number): () => void;
}

/** Keeps at most as many timestamps per rule as its rate allows calls. */
export function createRuleUsage(): RuleUsage {
  const times = new Map<string, number[]>();
  const since = (rule: Rule, time: number): number[] => {
    const oldest = time - (rule.rate?.within ?? 0);
    const known = times.get(rule.id);
    if (known !== undefined && (known[0] ?? time) > oldest) return known;
    const recent = known?.filter((one) => one > oldest) ?? [];
    times.set(rule.id, recent);
    return recent;
  };
  return {
    used: (rule, time) => since(rule, time).length,
    count(rules, decision, time) {
      const rule = decision.rule === undefined ? undefined : rules.rules[decision.rule.index];
      if (rule?.rate === undefined) return () => {};
      since(rule, time).push(time);
      return () => {
        const counted = times.get(rule.id);
        const index = counted?.lastIndexOf(time) ?? -1;
        if (index !== -1) counted?.splice(index, 1);
      };
    },
  };
}

/** Whether a rule has used up its rate. */
export function isSpent(rule: Rule, usage: RuleUsage | undefined, time: number): boolean {
  return rule.rate !== undefined && usage !== undefined && usage.used(rule, time) >= rule.rate.calls;
}

/** How many calls a rule may allow within a period. */
export interface RuleRate {
  readonly calls: number;
  /** Milliseconds. */
  readonly within: number;
  /** As written. */
  readonly text: string;
}

const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
const WRITTEN = /^(\d{1,6}) per (?:(\d{1,4}) )?(second|minute|hour|day)s?$/;
const MAX_CALLS = 100_000;

/** Reads `20 per hour` or `5 per 10 minutes`. */
export const readRate: ValueReader<RuleRate> = (tree, path, report) => {
  const text = tree.kind === 'scalar' ? String(tree.value).trim() : '';
  const [, calls, count = '1', unit = ''] = WRITTEN.exec(text) ?? [];
  const rate = { calls: Number(calls), within: Number(count) * (UNITS[unit] ?? 0), text };
  if (rate.calls >= 1 && rate.calls <= MAX_CALLS && rate.within > 0) return rate;
  const found = tree.kind === 'scalar' ? describe(tree.value) : 'This';
  const message = `${found} is not a rate; expected 20 per hour, or 5 per 10 minutes; at most ${MAX_CALLS} calls.`;
  report(tree.at, formatPath(path), message);
  return undefined;
};
