import type { RuleExplanation, RuleSet } from '@proffer/steward';

/**
 * The positions, from 0, of the rules that cannot be judged without the arguments, because they have
 * conditions on them.
 */
export function undecidedRules({ rules }: RuleSet, { tried }: RuleExplanation): ReadonlySet<number> {
  const undecided = tried.filter(({ rule, matched, failed }) =>
    matched
      ? rules[rule.index]?.conditions.some(({ about }) => isAboutArguments(about))
      : failed !== undefined && isAboutArguments(failed.condition),
  );
  return new Set(undecided.map(({ rule }) => rule.index));
}

/** Whether a condition looks at the arguments of a call. */
function isAboutArguments(condition: string): boolean {
  return /^arguments\b/.test(condition) || condition === 'noOtherArguments';
}
