import type { Rule } from './rule-set.js';

/** Rules by the tools that they name, so that a call meets only its own and those that name none. */
export interface RuleIndex {
  readonly byTool: ReadonlyMap<string, readonly Rule[]>;
  /** Those for any tool, or for a pattern of names, in their order. */
  readonly others: readonly Rule[];
}

/** A rule and the tools it is about, where it names them without a star. */
export interface IndexedRule {
  readonly rule: Rule;
  readonly tools?: readonly string[];
}

/** Arranges rules, once for each rule set. */
export function indexRules(entries: readonly IndexedRule[]): RuleIndex {
  const byTool = new Map<string, Rule[]>();
  const others: Rule[] = [];
  for (const { rule, tools } of entries) {
    if (tools === undefined) {
      others.push(rule);
      continue;
    }
    for (const tool of new Set(tools)) {
      const list = byTool.get(tool);
      if (list === undefined) byTool.set(tool, [rule]);
      else list.push(rule);
    }
  }
  return { byTool, others };
}

/** All rules that may match a call of this tool, in the order of the file. */
export function candidateRules({ byTool, others }: RuleIndex, tool: string): Iterable<Rule> {
  const own = byTool.get(tool);
  if (own === undefined) return others;
  return others.length === 0 ? own : merge(own, others);
}

function* merge(own: readonly Rule[], others: readonly Rule[]): Generator<Rule> {
  let ownAt = 0;
  let otherAt = 0;
  for (;;) {
    const left = own[ownAt];
    const right = others[otherAt];
    if (left === undefined && right === undefined) return;
    if (right === undefined || (left !== undefined && left.index < right.index)) {
      ownAt++;
      yield left as Rule;
    } else {
      otherAt++;
      yield right;
    }
  }
}
