import { defined, isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@proffer/core/json';
import { numberIn, partOf, textIn } from '../session/answer-parts.js';

/** What a rule, or its owner by default, does with a call. */
export type ListedRuleAction = 'allow' | 'ask' | 'deny';

/** A rule in plain language, and how often it decided recently. */
export interface ShownRule {
  readonly name?: string;
  readonly line?: number;
  readonly action: ListedRuleAction;
  readonly words: string;
  readonly reason?: string;
  readonly count: number;
  readonly last?: number;
}

/** A past call: its decision, and by which rule, or what a draft would do. */
export interface PastCall {
  readonly proposal?: string;
  readonly tool: string;
  readonly arguments?: string;
  readonly participant?: string;
  readonly at: number;
  readonly action?: ListedRuleAction;
  /** Who decided what: `reviewer allowed it`. */
  readonly decided?: { readonly by: string; readonly decision: string };
  readonly rule?: number;
  readonly reason?: string;
}

/** The rules of one participant. */
export interface ListedRuleOwner {
  readonly participant: string;
  readonly owner: string;
  readonly source: string;
  readonly version: string;
  readonly connected: boolean;
  readonly rules: readonly ShownRule[];
  readonly otherwise?: ShownRule;
  readonly earlier: number;
  readonly lately: readonly PastCall[];
  readonly problem?: string;
}

/** Part of a list, and the total number. */
export interface Some<Item> {
  readonly count: number;
  readonly shown: readonly Item[];
}

export function readOwner(value: JsonObject): ListedRuleOwner {
  const { connected, rules, otherwise, lately, problem } = value;
  return {
    participant: textIn(value, 'participant'),
    owner: textIn(value, 'owner'),
    source: textIn(value, 'source'),
    version: textIn(value, 'version'),
    connected: connected === true,
    rules: objectsIn(rules).map(readRule),
    ...(isJsonObject(otherwise) ? { otherwise: readRule(otherwise) } : {}),
    earlier: numberIn(partOf(value, 'earlier'), 'count'),
    lately: objectsIn(lately).map(readCall),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}

export function readRule(value: JsonObject): ShownRule {
  const { name, line, reason } = value;
  const decided = partOf(value, 'decided');
  const { last } = decided;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof line === 'number' ? { line } : {}),
    action: actionIn(value) ?? 'ask',
    words: textIn(value, 'words'),
    ...(typeof reason === 'string' ? { reason } : {}),
    count: numberIn(decided, 'count'),
    ...(typeof last === 'number' ? { last } : {}),
  };
}

export function readCall(value: JsonObject): PastCall {
  const { proposal, participant, rule, reason, decided } = value;
  const action = actionIn(value);
  return {
    ...(typeof proposal === 'string' ? { proposal } : {}),
    tool: textIn(value, 'tool'),
    ...(typeof value['arguments'] === 'string' ? { arguments: value['arguments'] } : {}),
    ...(typeof participant === 'string' ? { participant } : {}),
    at: numberIn(value, 'at'),
    ...defined({ action }),
    ...(typeof rule === 'number' ? { rule } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(isJsonObject(decided)
      ? { decided: { by: textIn(decided, 'by'), decision: textIn(decided, 'decision') } }
      : {}),
  };
}

export function readOneOrMore<Item>(
  value: JsonValue | undefined,
  read: (item: JsonObject) => Item,
): Some<Item> {
  if (!isJsonObject(value)) return { count: 0, shown: [] };
  return { count: numberIn(value, 'count'), shown: objectsIn(value['shown']).map(read) };
}

function actionIn({ action }: JsonObject): ListedRuleAction | undefined {
  return action === 'allow' || action === 'ask' || action === 'deny' ? action : undefined;
}
