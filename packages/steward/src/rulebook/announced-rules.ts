import { type Envelope, failure, MAX_RULES_LENGTH, type Result, refuse } from '@proffer/core';
import { isJsonArray, isJsonObject, type JsonObject, textOf } from '@proffer/core/json';
import { parseRuleData } from '../rules/parse-rules.js';
import type { RuleSet } from '../rules/rule-set.js';

/**
 * Who decides by rules: a guard before a server runs a call, a hook before an agent does, a steward
 * afterwards.
 */
export type RuleOwner = 'guard' | 'hook' | 'steward';

/** The message in which a participant announces its rules to the space. */
export function rulesAnnouncement(
  { said, source, version, rules }: RuleSet,
  owner: RuleOwner,
): Pick<Envelope, 'kind' | 'payload'> {
  const about = { owner, source: source.slice(-LONGEST_SOURCE), version, count: rules.length };
  const isShort = JSON.stringify(said).length <= MAX_RULES_LENGTH;
  const content = isShort ? { rules: said, lines: rules.map(({ line }) => line) } : {};
  return { kind: 'mcpx.announce.rules', payload: { ...about, ...content } };
}

/** The end of a path says more than its start. */
const LONGEST_SOURCE = 200;

/** A participant's announced rules, to show and try: `rules` keep their line numbers in the file. */
export function announcedRules(announced: JsonObject): Result<RuleSet> {
  const known = alreadyRead.get(announced) ?? read(announced);
  alreadyRead.set(announced, known);
  return known;
}

/** An announcement never changes, so it is parsed once. */
const alreadyRead = new WeakMap<JsonObject, Result<RuleSet>>();

function read(announced: JsonObject): Result<RuleSet> {
  const { rules, lines, count } = announced;
  const name = textIn(announced, 'source');
  if (!isJsonObject(rules)) {
    const what = `The ${Number(count)} rules of ${name} are too long to be shown here.`;
    return failure(refuse('unreadable_rules', what, { file: name }));
  }
  const parsed = parseRuleData(rules, name);
  if (!parsed.ok) return parsed;
  const at = isJsonArray(lines) ? lines.map(Number) : [];
  const placed = parsed.value.rules.map((rule, index) => ({ ...rule, line: at[index] ?? rule.line }));
  return { ok: true, value: { ...parsed.value, version: textIn(announced, 'version'), rules: placed } };
}

/** A text in a payload; empty if absent or not a text. */
export function textIn(payload: JsonObject, key: string): string {
  const value = payload[key];
  return textOf(value);
}
