import { defined, type JsonObject } from '@proffer/core/json';
import { WITHOUT_RULES } from '../rules/decide-by-rules.js';
import type { RuleAction } from '../rules/rule-set.js';
import { announcedRules, textIn } from './announced-rules.js';
import type { RuledCall } from './decided-lately.js';
import { defaultInWords, type RuleInWords, ruleInWords } from './rules-in-words.js';

/** How often rules decided, and when last. */
export interface RuleTally {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last?: number;
}

/** A recent decision by rules. */
export interface RecentDecision {
  readonly action: 'allow' | 'deny';
  readonly tool: string;
  readonly at: number;
  /** The rule's index among those shown; absent for the default and for rules that no longer exist. */
  readonly rule?: number;
  readonly proposal?: string;
  readonly reason?: string;
}

/** One participant's rules in plain language, with their recent decisions. */
export interface OwnedRules {
  readonly participant: string;
  /** `guard`, `hook` or `steward`. */
  readonly owner: string;
  readonly source: string;
  readonly version: string;
  readonly connected: boolean;
  readonly rules: readonly (RuleInWords & { readonly decided: RuleTally })[];
  /** What happens if no rule matches; absent if the rules cannot be shown. */
  readonly otherwise?: { readonly action: RuleAction; readonly words: string; readonly decided: RuleTally };
  /** Decisions by rules that no longer exist. */
  readonly earlier: RuleTally;
  /** Newest first. */
  readonly lately: readonly RecentDecision[];
  /** Why the rules cannot be shown. */
  readonly problem?: string;
}

/** The maximum per participant. */
const MAX_RECENT = 20;

/** @param announced - the payload of `mcpx.announce.rules` */
export function ownedRules(
  {
    participant,
    connected,
    announced,
  }: {
    readonly participant: string;
    readonly connected: boolean;
    readonly announced: JsonObject;
  },
  decided: readonly RuledCall[],
): OwnedRules {
  const about = {
    participant,
    owner: textIn(announced, 'owner'),
    source: textIn(announced, 'source'),
    version: textIn(announced, 'version'),
    connected,
  };
  const read = announcedRules(announced);
  if (!read.ok) {
    const lately = newest(decided).map((call) => recent(call));
    return { ...about, rules: [], earlier: tally(decided), lately, problem: read.refusal.message };
  }
  const rules = read.value;
  const byRule = new Map<ReturnType<RuledCall['ruleAmong']>, RuledCall[]>();
  // What no rule decided is shown, but counts for none.
  const without: readonly string[] = Object.values(WITHOUT_RULES);
  for (const call of decided.filter(({ version }) => !without.includes(version))) {
    const rule = call.ruleAmong(rules);
    const calls = byRule.get(rule);
    if (calls === undefined) byRule.set(rule, [call]);
    else calls.push(call);
  }
  const decidedBy = (key: ReturnType<RuledCall['ruleAmong']>): RuleTally => tally(byRule.get(key) ?? []);
  return {
    ...about,
    rules: rules.rules.map((rule) => ({ ...ruleInWords(rule), decided: decidedBy(rule) })),
    otherwise: {
      action: rules.otherwise.action,
      words: defaultInWords(rules),
      decided: decidedBy('default'),
    },
    earlier: decidedBy(undefined),
    lately: newest(decided).map((call) => {
      const rule = call.ruleAmong(rules);
      return recent(call, typeof rule === 'object' ? rule.index : undefined);
    }),
  };
}

function newest(decided: readonly RuledCall[]): readonly RuledCall[] {
  return decided.toSorted((one, other) => other.at - one.at).slice(0, MAX_RECENT);
}

function recent({ action, tool, at, proposal, reason }: RuledCall, rule?: number): RecentDecision {
  return { action, tool, at, ...defined({ rule, proposal, reason }) };
}

function tally(calls: readonly RuledCall[]): RuleTally {
  const last = calls.reduce((latest, { at }) => Math.max(latest, at), 0);
  return { count: calls.length, ...(calls.length === 0 ? {} : { last }) };
}
