import type { Proposal } from '../operations/proposal/proposal.js';

/** Stands for the rule where none matched. */
export const NO_RULE = 'no rule, the default';

/** A decision by rules as recorded: the reason, which rule, and which version of the rules. */
export function describeByRule(reason: string, which: string, version: string): string {
  return `${reason} [${which}; rules ${version}]`;
}

/** Which rule and version the end of a recorded text names; `undefined` if rules did not decide. */
export function readByRule(text: unknown): { readonly which: string; readonly version: string } | undefined {
  const tail = typeof text === 'string' ? /; rules ([^\s;\]]+)\]$/.exec(text) : null;
  if (tail === null) return undefined;
  return { which: tail.input.slice(0, tail.index), version: tail[1] ?? '' };
}

/** What is worth noticing about how a call was decided. */
export type MarkName = 'changed' | 'granted' | 'by_rule';

/** The marks in words. */
export const MARKS: Readonly<Record<MarkName, string>> = {
  changed: 'changed',
  granted: 'granted',
  by_rule: 'by rule',
};

/** How a call was decided, as marks: something else ran than was asked, a grant allowed it, or a rule decided it. */
export function marksOf({
  fulfilment,
  ending,
  rejections,
  statuses,
}: Pick<Proposal, 'fulfilment' | 'ending' | 'rejections' | 'statuses'>): readonly MarkName[] {
  const by = fulfilment?.by ?? (ending !== undefined && 'by' in ending ? ending.by : undefined) ?? '';
  // Whoever decides by rules says so: before an approval in a status, for a rejection in its message.
  const said = fulfilment === undefined ? rejections.get(by)?.message : statuses.get(by)?.message;
  const rule = readByRule(said);
  return [
    ...(fulfilment !== undefined && fulfilment.amendment.length > 0 ? (['changed'] as const) : []),
    ...(fulfilment?.grant === undefined ? [] : (['granted'] as const)),
    ...(rule === undefined || rule.which.endsWith(`[${NO_RULE}`) ? [] : (['by_rule'] as const)),
  ];
}
