import { describeByRule, NO_RULE, readByRule } from '@proffer/core/words';
import { describeRule, type RuleDecision } from '../rules/decide-by-rules.js';

/** A decision as recorded in the journal: the reason, which rule, and which version of the rules. */
export function describeDecision({ reason, rule, version }: RuleDecision): string {
  const which = rule === undefined ? NO_RULE : describeRule(rule);
  return describeByRule(reason, which, version);
}

/** The rule and version named in a text of {@link describeDecision}. */
export interface DescribedDecision {
  readonly version: string;
  /** Absent if the default decided. */
  readonly rule?: { readonly line: number; readonly isNamed: (name: string) => boolean };
}

/** Parses the end of a steward's text about a decision; `undefined` if rules did not decide. */
export function readDescribed(text: unknown): DescribedDecision | undefined {
  const read = readByRule(text);
  if (read === undefined) return undefined;
  const { which, version } = read;
  const line = Number(/\bline (\d+)\)?$/.exec(which)?.[1]);
  if (which.endsWith(`[${NO_RULE}`) || Number.isNaN(line)) return { version };
  const isNamed = (name: string): boolean => which.endsWith(`[${describeRule({ name, line })}`);
  return { version, rule: { line, isNamed } };
}
