import type { JsonObject } from '@proffer/core/json';
import { parseRuleData, type RuleSet } from '@proffer/steward';
import { RUN_LATER } from '@proffer/steward/guard';
import { AGENTS, type AgentId } from '../agents/index.js';
import type { ListedPermission } from './listed-permission.js';

/** An agent's own lists, as rules. */
export interface OwnRules {
  /** What it asks its user about, or refuses. */
  readonly against: RuleSet;
  /** What it runs without asking. */
  readonly allows: RuleSet;
}

/**
 * What no list of an agent allows here: files that run something later. Agents themselves ask about most of them, whatever
 * their lists say.
 */
const NEVER_LISTED: JsonObject = {
  action: 'ask',
  match: {
    path: [
      ...RUN_LATER.folders.flatMap((name) => [`**/${name}`, `**/${name}/**`]),
      ...RUN_LATER.files.map((name) => `**/${name}`),
    ],
  },
};

const VERB = { allow: 'allow', ask: 'ask about', deny: 'deny' } as const;

/** The lists of an agent as rules; `undefined` if there is nothing in them. */
export function ownRulesOf(agent: AgentId, entries: readonly ListedPermission[]): OwnRules | undefined {
  const rules = entries.map(({ action, text, match }) => ({
    action,
    match,
    reason: `${AGENTS[agent].label}'s own settings ${VERB[action]} this: ${text}`.slice(0, 500),
  }));
  const valid = rules.filter((rule) => parseRuleData({ rules: [rule] }, agent).ok);
  if (valid.length === 0) return undefined;
  const only = (actions: readonly string[]): JsonObject[] =>
    valid.filter(({ action }) => actions.includes(action));
  return {
    against: setOf(agent, [...only(['deny']), ...only(['ask'])]),
    allows: setOf(agent, [NEVER_LISTED, ...only(['allow'])]),
  };
}

function setOf(agent: AgentId, rules: JsonObject[]): RuleSet {
  const parsed = parseRuleData({ default: 'ask', rules }, `the settings of ${AGENTS[agent].label}`);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}
