import type { JsonObject } from '@proffer/core/json';
import type { ArgumentKey } from './conditions/argument-conditions.js';
import type { Condition } from './conditions/condition.js';
import type { ServerHints } from './hints.js';
import type { RuleIndex } from './rule-index.js';
import type { RuleRate } from './rule-usage.js';

/** What a rule does with a call: let it run, leave it to people, refuse it. */
export type RuleAction = 'allow' | 'ask' | 'deny';

export const RULE_ACTIONS: readonly RuleAction[] = ['allow', 'ask', 'deny'];

/** One rule, ready to be tested. */
export interface Rule {
  readonly name?: string;
  /** The index of the rule among the rules, from 0. */
  readonly index: number;
  /** The first line of the rule in the file, from 1. */
  readonly line: number;
  readonly action: RuleAction;
  readonly reason?: string;
  /** The name of the rule, or its content: unaffected by changes to other rules. */
  readonly id: string;
  /** What it names other than tools. */
  readonly subject?: 'resource' | 'prompt';
  /** How often it may allow something; after that it does not match. */
  readonly rate?: RuleRate;
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** The key of one of the conditions, which rules out calls that cannot match. */
  readonly key?: ArgumentKey;
}

/**
 * Rules read by {@link parseRules}, indexed so that a call is tested only against those for its tool
 * and arguments.
 */
export interface RuleSet {
  /** The file's name, for messages. */
  readonly source: string;
  /**
   * The first 12 hex digits of the SHA-256 of the rules' content, however the file is laid out;
   * prefixed with the author's version if there is one: `2026-11@3f9a1c2b7d4e`.
   */
  readonly version: string;
  /** The rules as data: without comments, and in one form however the file is laid out. */
  readonly said: JsonObject;
  readonly rules: readonly Rule[];
  /** What happens if no rule matches. */
  readonly otherwise: { readonly action: RuleAction; readonly reason?: string };
  readonly hints: ServerHints;
  readonly index: RuleIndex;
}
