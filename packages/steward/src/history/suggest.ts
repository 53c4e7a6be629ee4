import { parseRules } from '../rules/parse-rules.js';
import { type Backtest, backtest } from './backtest.js';
import {
  groupAlike,
  groupByFolder,
  groupEqual,
  isPrecedent,
  type Precedent,
  ruleFor,
  type WrittenRule,
} from './generalise.js';
import type { PastProposal } from './past-proposal.js';

/** A rule that people's decisions have already been following. */
export interface Suggestion {
  readonly rule: WrittenRule;
  /** The decisions it was made from. */
  readonly evidence: readonly Precedent[];
  /** Of the rule alone, against the whole history; none of it is `different`. */
  readonly backtest: Backtest['counts'];
}

export interface SuggestOptions {
  /** How many decisions it takes. Default 3. */
  readonly min?: number;
}

/**
 * The narrowest rules that reproduce what people decided again and again; those with the most evidence
 * first. Pure. A rule that contradicts any decision of the past, also one of other participants, rules or
 * with changes, or one that was disputed, is never suggested: narrower ones are tried instead.
 */
export function suggestRules(
  past: readonly PastProposal[],
  { min = 3 }: SuggestOptions = {},
): readonly Suggestion[] {
  const found: Suggestion[] = [];
  const levels = [(group: readonly Precedent[]) => [group], groupByFolder, groupEqual];

  function search(group: readonly Precedent[], level: number): void {
    const split = levels[level];
    if (split === undefined || group.length < min) return;
    for (const part of split(group)) {
      if (part.length < min) continue;
      const suggestion = suggestionFrom(part, past);
      if (suggestion === undefined) search(part, level + 1);
      else found.push(suggestion);
    }
  }

  for (const group of groupAlike(past.filter(isPrecedent))) search(group, 0);
  found.sort((left, right) => right.evidence.length - left.evidence.length);
  return withOwnNames(found);
}

function suggestionFrom(group: readonly Precedent[], past: readonly PastProposal[]): Suggestion | undefined {
  const rule = ruleFor(group);
  if (rule === undefined) return undefined;
  const parsed = parseRules(JSON.stringify({ rules: [rule] }), 'suggestion');
  if (!parsed.ok) return undefined;
  const { counts, cases } = backtest(parsed.value, past);
  const isDisputed = cases.some(
    ({ comparison, proposal }) => comparison === 'same' && proposal.decided?.disputed === true,
  );
  // A path that is not plain is in its folder by its letters only: then the rule does not reproduce it.
  const reproduces = backtest(parsed.value, group).counts.same === group.length;
  const isSound = counts.different === 0 && !isDisputed && reproduces;
  return isSound ? { rule, evidence: group, backtest: counts } : undefined;
}

function withOwnNames(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const taken = new Map<string, number>();
  return suggestions.map((suggestion) => {
    const { name } = suggestion.rule;
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1
      ? suggestion
      : { ...suggestion, rule: { ...suggestion.rule, name: `${name} (${count})` } };
  });
}
