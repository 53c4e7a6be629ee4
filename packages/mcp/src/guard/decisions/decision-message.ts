import type { JsonObject } from '@proffer/core/json';
import type { DecisionEntry } from './decision-entry.js';
import type { Ruling } from './rulings.js';

/**
 * The payload that reports decisions. Those that differ only in time and arguments are combined, so that an agent that
 * reads a lot does not fill the history with one rule: `calls` has what differs.
 *
 * @param missing - how many more decisions were not recorded
 */
export function decisionMessage(entries: readonly DecisionEntry[], missing: number): JsonObject {
  const groups = new Map<string, { readonly ruling: Ruling; readonly calls: JsonObject[] }>();
  for (const { ruling, own } of entries) {
    const group = groups.get(ruling.key);
    if (group === undefined) groups.set(ruling.key, { ruling, calls: [own] });
    else group.calls.push(own);
  }
  const lines: string[] = [];
  const decisions: JsonObject[] = [];
  for (const { ruling, calls } of groups.values()) {
    const [only = {}] = calls;
    const isOne = calls.length === 1;
    lines.push(isOne ? ruling.line : `${ruling.line} (${calls.length} calls)`);
    decisions.push(isOne ? { ...ruling.record, ...only } : { ...ruling.record, calls });
  }
  if (missing > 0)
    lines.push(`${missing} more decisions were not recorded: the gateway did not accept them in time.`);
  return { text: lines.join('\n'), decisions, ...(missing === 0 ? {} : { missing }) };
}
