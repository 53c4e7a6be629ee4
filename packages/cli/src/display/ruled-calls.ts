import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import { observedIn } from '@proffer/core/operations';
import { WITHOUT_RULES } from '@proffer/steward/guard';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/shell.js';
import { textOf, visible, visibleArguments, visibleLine } from '../terminal/visible.js';
import type { MessageLine } from './log/message-line.js';

/** The decisions by a guard's rules that a message reports; none for any other message. */
function ruledCalls({ kind, payload }: Pick<LoggedMessage, 'kind' | 'payload'>): readonly JsonObject[] {
  const { decisions } = payload;
  if (kind !== 'chat.message' || !isJsonArray(decisions)) return [];
  return decisions.filter(isJsonObject).flatMap(eachCall).sort(byTime);
}

/** More calls, or more common text, than a guard ever combines: such a message is not expanded (I-7). */
const MAX_CALLS = 1_000;
const MAX_IN_COMMON = 16_384;

/** Calls that differ only in time and arguments are reported together. */
function eachCall({ calls, ...common }: JsonObject): readonly JsonObject[] {
  if (!isJsonArray(calls) || calls.length > MAX_CALLS || JSON.stringify(common).length > MAX_IN_COMMON)
    return [common];
  const whole = (own: JsonObject): JsonObject => ({ ...common, ...own });
  return calls.filter(isJsonObject).map(whole);
}

function byTime({ at: one }: JsonObject, { at: other }: JsonObject): number {
  return typeof one !== 'string' || typeof other !== 'string' || one === other ? 0 : one < other ? -1 : 1;
}

/** The ruled calls with their numbers: the `seq` of the message, and after a dot which decision, if it reports several. */
export function numberedCalls(
  message: Pick<LoggedMessage, 'kind' | 'payload' | 'seq'>,
): readonly { readonly number: string; readonly call: JsonObject }[] {
  const calls = ruledCalls(message);
  const seq = message.seq === undefined ? '·' : String(message.seq);
  return calls.map((call, index) => ({ number: calls.length === 1 ? seq : `${seq}.${index + 1}`, call }));
}

/** One decision as a log line: the decision, the call, the rule with its version, and why. */
export function describeRuledCall(from: string, call: JsonObject, style: Style): MessageLine {
  const isDenial = call['action'] === 'deny';
  const operation = `${text(call, 'tool')} ${input(call)}`.trimEnd();
  return {
    who: visible(from),
    what: isDenial ? style.red('denies') : style.green('allows'),
    detail: `${operation}  [${decider(call)}] ${text(call, 'reason')}`,
  };
}

/** The calls that a message reports as only watched (O-50), one line each. */
export function describeWatchedCalls(
  { from, kind, payload }: LoggedMessage,
  style: Style,
): readonly MessageLine[] {
  if (kind !== 'chat.message') return [];
  return observedIn(payload, 0).map(({ would, tool, arguments: given, reason = '' }) => ({
    who: visible(from),
    what: style.dim('watches'),
    detail: `${visible(tool)} ${given === undefined ? '' : visibleArguments(given)}`
      .trimEnd()
      .concat(`  [${WOULD[would]}] ${visibleLine(reason)}`),
  }));
}

const WOULD = {
  allow: 'nobody would be asked',
  ask: 'someone would be asked',
  deny: 'it would be denied',
} as const;

/** What hooks name in place of a version of rules. */
const DECIDERS: ReadonlyMap<string, string> = new Map([
  [WITHOUT_RULES.builtIn, 'built-in protection'],
  [WITHOUT_RULES.agentSettings, "the agent's own settings"],
]);

function decider(call: JsonObject): string {
  const version = text(call, 'version');
  return DECIDERS.get(version) ?? `${ruleName(call['rule'])}; rules ${version}`;
}

/** For an allowed call, only the names of the arguments are recorded. */
function input(call: JsonObject): string {
  const names = namesOnly(call);
  if (names === undefined) return visibleArguments(call['arguments']);
  return names.map((name) => `${visible(name)}=…`).join(' ');
}

/** The argument names, in order, if their values are not recorded; `undefined` if they are. */
export function namesOnly({ argumentNames }: JsonObject): readonly string[] | undefined {
  return isJsonArray(argumentNames) ? argumentNames.map(textOf).sort() : undefined;
}

function ruleName(rule: unknown): string {
  if (!isJsonObject(rule)) return 'no rule, the default';
  const { name, line } = rule;
  const where = typeof line === 'number' ? `line ${line}` : 'a rule';
  return typeof name === 'string' ? `${visible(name)}, ${where}` : where;
}

function text(call: JsonObject, key: string): string {
  const value = call[key];
  return typeof value === 'string' ? visibleLine(value) : '';
}
