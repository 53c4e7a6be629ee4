import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core';
import type { Message } from '../connection/proposal-view.js';
import type { Style } from '../terminal/style.js';
import { visible, visibleArguments } from '../terminal/visible.js';
import type { Line } from './message-line.js';

/** The decisions that a guard made by its rules and tells of in a message; none in any other message. */
export function ruledCalls({ kind, payload }: Pick<Message, 'kind' | 'payload'>): readonly JsonObject[] {
  const { decisions } = payload;
  return kind === 'chat.message' && isJsonArray(decisions) ? decisions.filter(isJsonObject) : [];
}

/** One of them as a line of a log: what was decided about which call, by which rule of which version, and why. */
export function describeRuledCall(from: string, call: JsonObject, style: Style): Line {
  const isDenial = call['action'] === 'deny';
  const operation = `${text(call, 'tool')} ${visibleArguments(call['arguments'])}`.trimEnd();
  return {
    who: visible(from),
    what: isDenial ? style.red('denies') : style.green('allows'),
    detail: `${operation}  [${ruleName(call['rule'])}; rules ${text(call, 'version')}] ${text(call, 'reason')}`,
  };
}

function ruleName(rule: unknown): string {
  if (!isJsonObject(rule)) return 'no rule, the default';
  const { name, line } = rule;
  const where = typeof line === 'number' ? `line ${line}` : 'a rule';
  return typeof name === 'string' ? `${visible(name)}, ${where}` : where;
}

function text(call: JsonObject, key: string): string {
  const value = call[key];
  return typeof value === 'string' ? visible(value) : '';
}
