import { canonicalJson, defined, makeVisible } from '@proffer/core/json';
import { formatYaml, listed } from '@proffer/reading';
import { parseRules } from '../rules/parse-rules.js';
import { type Backtest, type BacktestCase, backtest, backtestSteps } from './backtest.js';
import {
  type Generalised,
  groupAlike,
  groupByFolder,
  groupByTarget,
  groupEqual,
  isPrecedent,
  type Precedent,
  ruleFor,
} from './generalise.js';
import type { PastProposal } from './past-proposals.js';
import { finish, type Steps } from './steps.js';

/** A rule that people's decisions already follow. */
export interface Suggestion extends Generalised {
  /** The decisions it is based on. */
  readonly evidence: readonly Precedent[];
  /** For the rule alone, against the whole history; nothing in it is `different`. */
  readonly backtest: Backtest['counts'];
  /** What the rule would have decided although no one did. */
  readonly newlyAutomatic: readonly BacktestCase[];
}

/** A rule that many decisions follow, and some contradict. */
export interface PassedOver extends Generalised {
  readonly evidence: readonly Precedent[];
  /** What it would have decided differently. */
  readonly different: readonly BacktestCase[];
}

export interface Suggestions {
  /** Sorted by evidence, most first. */
  readonly suggestions: readonly Suggestion[];
  /** Rules that are not suggested, because someone decided differently. */
  readonly passedOver: readonly PassedOver[];
}

export interface SuggestOptions {
  /** How many decisions are needed; one more if an argument is left open. Default 3. */
  readonly min?: number;
}

/**
 * The narrowest rules that reproduce what people decided repeatedly. Pure. A rule is never suggested
 * if it contradicts any past decision, including those of other participants or rules, those with
 * changes, and disputed ones: narrower rules are tried instead.
 */
export function suggestRules(past: readonly PastProposal[], options: SuggestOptions = {}): Suggestions {
  return finish(suggestSteps(past, options));
}

/** Suggests rules in small steps. */
export function* suggestSteps(
  past: readonly PastProposal[],
  { min = 3 }: SuggestOptions = {},
): Steps<Suggestions> {
  const suggestions: Suggestion[] = [];
  const passedOver: PassedOver[] = [];
  const levels = [(group: readonly Precedent[]) => [group], groupByTarget, groupByFolder, groupEqual];

  function* search(group: readonly Precedent[], level: number): Steps<void> {
    const split = levels[level];
    if (split === undefined || group.length < min) return;
    for (const part of split(group)) {
      if (part.length < min) continue;
      const found = yield* tryRule(part, past, min);
      if (found === undefined || 'different' in found) yield* search(part, level + 1);
      if (found === undefined) continue;
      if ('different' in found) passedOver.push(found);
      else suggestions.push(found);
    }
  }

  for (const group of groupAlike(past.filter(isPrecedent))) yield* search(group, 0);
  suggestions.sort((left, right) => right.evidence.length - left.evidence.length);
  return { suggestions: withOwnNames(suggestions), passedOver: withoutRepeats(passedOver) };
}

/** The closest candidate, where no rule is suggested. */
export interface Closest {
  readonly decision: 'allow' | 'deny';
  readonly tool: string;
  readonly server?: string;
  /** How often calls with these argument names were decided this way. */
  readonly alike: number;
  /** How often the identical call was. */
  readonly equal: number;
}

/** The calls most often decided the same way; `undefined` if people decided none unchanged. */
export function closestToRule(past: readonly PastProposal[]): Closest | undefined {
  const [most] = groupAlike(past.filter(isPrecedent)).toSorted(byLength);
  const [one] = most ?? [];
  if (most === undefined || one === undefined) return undefined;
  const { tool, server } = one.call;
  return {
    decision: one.decided.decision,
    tool,
    ...defined({ server }),
    alike: most.length,
    equal: groupEqual(most).toSorted(byLength)[0]?.length ?? 0,
  };
}

function byLength(left: readonly unknown[], right: readonly unknown[]): number {
  return right.length - left.length;
}

function* tryRule(
  group: readonly Precedent[],
  past: readonly PastProposal[],
  min: number,
): Steps<Suggestion | PassedOver | undefined> {
  const generalised = ruleFor(group);
  if (generalised === undefined) return undefined;
  const { rule, free } = generalised;
  if (free.length > 0 && group.length <= min) return undefined;
  const parsed = parseRules(JSON.stringify({ rules: [rule] }), 'suggestion');
  if (!parsed.ok) return undefined;
  // A path that is not plain is only literally in its folder: then the rule does not reproduce it.
  if (backtest(parsed.value, group).counts.same < group.length) return undefined;
  const { counts, cases } = yield* backtestSteps(parsed.value, past);
  const different = cases.filter(
    ({ comparison, proposal }) =>
      comparison === 'different' || (comparison === 'same' && proposal.decided?.disputed === true),
  );
  if (different.length > 0) return { rule, free, evidence: group, different };
  const newlyAutomatic = cases.filter(({ comparison }) => comparison === 'newly_automatic');
  return { rule, free, evidence: group, backtest: counts, newlyAutomatic };
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

function withoutRepeats(passedOver: readonly PassedOver[]): readonly PassedOver[] {
  return [...new Map(passedOver.map((one) => [JSON.stringify(one.rule), one])).values()];
}

const MAX_SHOWN = 10;
/** The maximum length of one call's arguments, in characters. */
const LONGEST = 100;
const PAST = { allow: 'allowed', deny: 'denied', amend: 'changed' } as const;

/**
 * Suggestions as a rule file. Comments above each rule say which decisions it is based on and what it
 * would have decided that no one did; the end lists what is not suggested and why.
 */
export function formatSuggestions({ suggestions, passedOver }: Suggestions): string {
  const rules =
    suggestions.length === 0
      ? '# Nothing to suggest yet.\nrules: []\n'
      : `rules:\n${suggestions.map(formatSuggestion).join('\n')}`;
  return [rules, ...passedOver.map(formatPassedOver)].join('\n');
}

function formatSuggestion({ rule, free, evidence, backtest, newlyAutomatic }: Suggestion): string {
  const verb = rule.action === 'allow' ? 'allowed' : 'denied';
  const shown = evidence.slice(-MAX_SHOWN);
  const older = evidence.length - shown.length;
  const comments = [
    `${verb} ${evidence.length} times${older === 0 ? ':' : `, the last ${shown.length}:`}`,
    ...shown.map((proposal) => describePast(proposal, free)),
    ...(free.length === 0 ? [] : [`may be anything: ${listed(free)}`]),
    `backtest: reproduces ${backtest.same}, contradicts ${backtest.different}, newly automatic ${backtest.newly_automatic}${newlyAutomatic.length === 0 ? '' : ':'}`,
    ...newlyAutomatic.slice(-MAX_SHOWN).map(({ proposal }) => describePast(proposal, free)),
  ];
  const written = formatYaml([rule]).trimEnd();
  return [...comments.map(comment), ...written.split('\n')]
    .map((line) => `  ${line}`)
    .join('\n')
    .concat('\n');
}

function formatPassedOver({ rule, free, evidence, different }: PassedOver): string {
  const lines = [
    `Not suggested: ${rule.action} ${rule.name}`,
    `${evidence.length} decisions agree with this rule; it would have decided ${different.length} differently:`,
    ...different.slice(-MAX_SHOWN).map(({ proposal }) => describePast(proposal, free)),
  ];
  return lines.map(comment).join('\n').concat('\n');
}

/** Arguments that may be anything are left out: they may be long, or not belong in a rule file. */
function describePast({ id, call, decided }: PastProposal, free: readonly string[]): string {
  const looked = Object.entries(call.arguments).filter(([name]) => !free.includes(name));
  const whole = canonicalJson(Object.fromEntries(looked));
  const given = whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST).toWellFormed()}…`;
  if (decided === undefined) return `  ${id}  ${given}  nobody decided`;
  return `  ${id}  ${given}  ${PAST[decided.decision]} by ${decided.by}  ${formatTime(decided.at)}`;
}

function comment(line: string): string {
  return `# ${makeVisible(line)}`;
}

function formatTime(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'at an unknown time';
}
