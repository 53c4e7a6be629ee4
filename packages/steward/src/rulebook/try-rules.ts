import type { Result } from '@proffer/core';
import { success } from '@proffer/core';
import { listOf } from '@proffer/core/json';
import { type BacktestCase, backtestSteps, type RuleComparison } from '../history/backtest.js';
import type { PastProposal } from '../history/past-proposals.js';
import type { Steps } from '../history/steps.js';
import { parseRuleData, parseRules } from '../rules/parse-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import { defaultInWords, type RuleInWords, rulesInWords } from './rules-in-words.js';

/** What a draft would have decided. */
export interface TriedDraft {
  readonly version: string;
  /** The rules of the draft. */
  readonly words: readonly RuleInWords[];
  /** The default if no rule matches; absent after a participant's rules, which have their own default. */
  readonly otherwise?: string;
  /** For what the draft decides. `asked` is everything else. */
  readonly counts: Readonly<Record<RuleComparison, number>>;
  /** How many calls the rules before it decide, so that the draft is not asked. */
  readonly already: number;
  /** What was decided differently, or not at all, newest first. */
  readonly different: readonly BacktestCase[];
  readonly newlyAutomatic: readonly BacktestCase[];
}

/**
 * Reads a draft. Behind a participant's rules it decides only what none of them matches: that is
 * where new rules are appended, so that they never override an existing one.
 */
export function readDraft(text: string, behind?: RuleSet): Result<RulesDraft> {
  const own = parseRules(text, 'draft');
  if (!own.ok) return own;
  if (behind === undefined) return success({ own: own.value, all: own.value, first: 0 });
  const rules = [behind, own.value].flatMap(({ said }) => listOf(said['rules']));
  // A name that is taken is an error here, as it would be in the file.
  const all = parseRuleData({ ...behind.said, rules }, behind.source);
  return all.ok ? success({ own: own.value, all: all.value, first: behind.rules.length }) : all;
}

/** A draft that can be tried. */
export interface RulesDraft {
  readonly own: RuleSet;
  /** With the rules in front of it. */
  readonly all: RuleSet;
  /** The index of its first rule among them. */
  readonly first: number;
}

/** What a draft would have decided about past proposals. Pure. */
export function* tryDraft({ own, all, first }: RulesDraft, past: readonly PastProposal[]): Steps<TriedDraft> {
  const { cases } = yield* backtestSteps(all, past);
  const counts = { same: 0, different: 0, newly_automatic: 0, asked: 0 };
  let already = 0;
  const found: BacktestCase[] = [];
  for (const one of cases.toReversed()) {
    const isDefault = one.byRules.rule === undefined;
    const isOwn = isDefault ? first === 0 : (one.byRules.rule?.index ?? 0) >= first;
    if (!isOwn && !isDefault && one.comparison !== 'asked') already += 1;
    const comparison = isOwn ? one.comparison : 'asked';
    counts[comparison] += 1;
    if (isOwn) found.push(one);
  }
  return {
    version: all.version,
    words: rulesInWords(own),
    ...(first === 0 ? { otherwise: defaultInWords(own) } : {}),
    counts,
    already,
    different: found.filter(({ comparison }) => comparison === 'different'),
    newlyAutomatic: found.filter(({ comparison }) => comparison === 'newly_automatic'),
  };
}
