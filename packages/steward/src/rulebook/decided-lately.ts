import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  textOf,
} from '@proffer/core/json';
import type { HistoryEntry } from '../history/past-proposals.js';
import type { Rule, RuleSet } from '../rules/rule-set.js';
import { readDescribed } from '../steward/decision-text.js';

/** A decision that a participant's rules made without asking anyone. */
export interface RuledCall {
  readonly action: 'allow' | 'deny';
  /** As the inbox shows it. */
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly version: string;
  /** Which of these rules decided it, if any: the same rule, perhaps in an earlier version of the file. */
  readonly ruleAmong: (rules: RuleSet) => Rule | 'default' | undefined;
  /** The proposal it was about; a guard decides before there is one. */
  readonly proposal?: string;
  readonly reason?: string;
}

/** A guard reports fewer calls in one message (I-7). */
const MAX_CALLS = 1_000;

/**
 * What rules decided in a history, by the participant that owns them, oldest first. Pure. Guards and
 * hooks report it in their own messages, a steward when it decides a proposal. Only a participant's
 * own messages count.
 */
export function decidedByRules(entries: Iterable<HistoryEntry>): ReadonlyMap<string, readonly RuledCall[]> {
  const decided = new Map<string, RuledCall[]>();
  const tools = new Map<string, string>();
  for (const entry of entries) {
    const { type, principal, envelope } = entry;
    if (type === 'proposed') tools.set(envelope.id, toolOf(envelope.payload));
    const found = envelope.kind === 'chat.message' ? ofGuard(entry) : ofSteward(entry, tools);
    if (found.length === 0) continue;
    const list = decided.get(principal);
    if (list === undefined) decided.set(principal, [...found]);
    else list.push(...found);
  }
  return decided;
}

function ofGuard({ time, envelope }: HistoryEntry): readonly RuledCall[] {
  const { decisions } = envelope.payload;
  const found: RuledCall[] = [];
  for (const decision of listOf(decisions)) {
    if (!isJsonObject(decision)) continue;
    const { calls, ...common } = decision;
    for (const own of isJsonArray(calls) ? calls : [{}]) {
      if (found.length === MAX_CALLS) return found;
      if (isJsonObject(own)) found.push(...guardsCall({ ...common, ...own }, time));
    }
  }
  return found;
}

function guardsCall(
  { action, tool, at, version, rule, reason }: JsonObject,
  time: number,
): readonly RuledCall[] {
  if ((action !== 'allow' && action !== 'deny') || typeof version !== 'string') return [];
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  const { name, index } = objectOf(rule);
  return [
    {
      action,
      tool: textOf(tool),
      at: Number.isNaN(moment) ? time : moment,
      version,
      ...(typeof reason === 'string' ? { reason } : {}),
      ruleAmong: (rules) => {
        if (rules.version === version) return isJsonObject(rule) ? rules.rules[Number(index)] : 'default';
        return typeof name === 'string' ? rules.rules.find((one) => one.name === name) : undefined;
      },
    },
  ];
}

function ofSteward(
  { type, time, envelope, facts = {} }: HistoryEntry,
  tools: ReadonlyMap<string, string>,
): readonly RuledCall[] {
  const isAllowed = type === 'status_reported' && envelope.payload['status'] === 'processing';
  if (!isAllowed && type !== 'rejected') return [];
  const described = readDescribed(envelope.payload['message']);
  const { proposal } = facts;
  if (described === undefined || typeof proposal !== 'string') return [];
  const { version, rule } = described;
  return [
    {
      action: isAllowed ? 'allow' : 'deny',
      tool: tools.get(proposal) ?? '',
      at: time,
      version,
      proposal,
      ruleAmong: (rules) => {
        if (rules.version !== version)
          return rules.rules.find(({ name }) => name !== undefined && rule?.isNamed(name) === true);
        return rule === undefined ? 'default' : rules.rules.find(({ line }) => line === rule.line);
      },
    },
  ];
}

function toolOf({ method, params }: JsonObject): string {
  const name: JsonValue | undefined = objectOf(params)['name'];
  if (typeof name === 'string') return name;
  return textOf(method);
}
