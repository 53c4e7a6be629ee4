import type { Proposal } from '../operations/proposal/proposal.js';
import { NO_RULE, readByRule } from './by-rule.js';

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
