import { decideByRules, type RuleDecision } from '../rules/decide-by-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import { createRuleUsage } from '../rules/rule-usage.js';
import type { PastProposal } from './past-proposals.js';
import { finish, type Steps } from './steps.js';

/**
 * How rules compare with what happened.
 *
 * - `same`: they would have decided, as it was decided.
 * - `different`: they would have decided differently; also if someone changed it before it ran.
 * - `newly_automatic`: they would have decided something that no one decided.
 * - `asked`: they would have left it to people.
 */
export type RuleComparison = 'same' | 'different' | 'newly_automatic' | 'asked';

/** One past proposal, and what rules would have done with it. */
export interface BacktestCase {
  readonly proposal: PastProposal;
  readonly byRules: RuleDecision;
  readonly comparison: RuleComparison;
}

export interface Backtest {
  readonly version: string;
  readonly counts: Readonly<Record<RuleComparison, number>>;
  /** In history order. */
  readonly cases: readonly BacktestCase[];
}

/** What a rule set would have decided about past proposals, each at the time it was made. Pure. */
export function backtest(rules: RuleSet, past: Iterable<PastProposal>): Backtest {
  return finish(backtestSteps(rules, past));
}

/** Backtests one proposal per step. */
export function* backtestSteps(rules: RuleSet, past: Iterable<PastProposal>): Steps<Backtest> {
  const usage = createRuleUsage();
  const counts = { same: 0, different: 0, newly_automatic: 0, asked: 0 };
  const cases: BacktestCase[] = [];
  for (const proposal of past) {
    const byRules = decideByRules(rules, proposal.call, usage);
    usage.count(rules, byRules, proposal.call.time);
    const comparison = compare(byRules, proposal);
    counts[comparison]++;
    cases.push({ proposal, byRules, comparison });
    yield;
  }
  return { version: rules.version, counts, cases };
}

function compare({ action }: RuleDecision, { decided }: PastProposal): RuleComparison {
  if (action === 'ask') return 'asked';
  if (decided === undefined) return 'newly_automatic';
  return decided.decision === action ? 'same' : 'different';
}
