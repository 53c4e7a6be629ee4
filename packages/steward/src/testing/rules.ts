import type { JsonValue } from '@proffer/core/json';
import { type Problem } from '@proffer/reading';
import type { CallFacts, RuleSet } from '../index.js';
import { parseRules } from '../index.js';

/** Rules that must be valid. */
export function rulesOf(text: string, source = 'rules.yaml'): RuleSet {
  const parsed = parseRules(text, source);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

/** The problems of rules that must be invalid. */
export function problemsOf(text: string): readonly Problem[] {
  const parsed = parseRules(text, 'rules.yaml');
  if (parsed.ok) throw new Error('there is no problem');
  return parsed.refusal.details['problems'] as readonly JsonValue[] as readonly Problem[];
}

/** Monday, 16 November 2026, 12:00 UTC. */
export const MONDAY_NOON = Date.UTC(2026, 10, 16, 12);

/** A call with defaults for whatever a test does not care about. */
export function callOf(facts: Partial<CallFacts> = {}): CallFacts {
  return { participant: 'agent', tool: 'read_file', arguments: {}, time: MONDAY_NOON, ...facts };
}
