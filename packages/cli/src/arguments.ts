import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import { usageFailure } from './command-failure.js';
import { hasArguments } from './proposals/proposal-view.js';

/** `key=value` on a command line. The value is JSON if it parses as JSON, and text otherwise. */
export function parseAssignment(text: string): { readonly path: string; readonly value: JsonValue } {
  const equals = text.indexOf('=');
  if (equals < 1) {
    throw usageFailure(`${JSON.stringify(text)} is not an assignment.`, [
      'For example: text=hello or count=3',
    ]);
  }
  return { path: text.slice(0, equals), value: parseValue(text.slice(equals + 1)) };
}

/** JSON if it is JSON: `3`, `true`, `"3"`, `{"a":1}`; else the text itself. */
export function parseValue(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

/** The JSON object in an option. */
export function parseObject(text: string, option: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok) throw usageFailure(`${option} is not JSON; write an object, such as '{"text":"hello"}'.`);
  if (!isJsonObject(parsed.value))
    throw usageFailure(`${option} must be a JSON object, such as '{"text":"hello"}'.`);
  return parsed.value;
}

/** Arguments from `--arg key=value`, one level, each key once. */
export function collectArguments(assignments: readonly string[]): JsonObject {
  const collected = new Map<string, JsonValue>();
  for (const assignment of assignments) {
    const { path, value } = parseAssignment(assignment);
    if (collected.has(path)) throw usageFailure(`--arg ${path} is given twice.`);
    collected.set(path, value);
  }
  return Object.fromEntries(collected);
}

/**
 * Params with some of them set. A path with dots starts at the arguments of a tool or prompt, elsewhere at
 * the params: `text`, `options.depth`. A path that begins with a slash is a JSON Pointer into the params:
 * `/arguments/text`. The name of the tool cannot be set: that would be another proposal (O-11). Text stays
 * text: `order=4712` in place of "4711" becomes "4712"; it is a number only in place of a number or nothing.
 */
export function applyAssignments(
  method: string,
  params: JsonObject | undefined,
  assignments: readonly string[],
): JsonObject | undefined {
  let changed: JsonValue | undefined = params;
  for (const assignment of assignments) {
    const { path, value } = parseAssignment(assignment);
    const text = assignment.slice(path.length + 1);
    changed = setAt(changed, stepsOf(method, path), { value, text }, path);
  }
  return isJsonObject(changed) ? changed : params;
}

/** The steps from the params to the place that a path names; see {@link applyAssignments}. */
export function stepsOf(method: string, path: string): readonly string[] {
  if (path.startsWith('/')) {
    return path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return hasArguments(method) ? ['arguments', ...path.split('.')] : path.split('.');
}

function setAt(
  value: JsonValue | undefined,
  steps: readonly string[],
  replacement: { readonly value: JsonValue; readonly text: string },
  path: string,
): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) {
    const isScalar = typeof replacement.value !== 'object' || replacement.value === null;
    const staysText = typeof value === 'string' && typeof replacement.value !== 'string' && isScalar;
    return staysText ? replacement.text : replacement.value;
  }
  if (step === '' || step === '__proto__') throw usageFailure(`--set ${path}: there is no such path.`);
  if (isJsonArray(value)) {
    const index = Number(step);
    if (!/^\d+$/.test(step) || index > value.length) {
      throw usageFailure(`--set ${path}: ${step} is not an index of an array of ${value.length}.`);
    }
    const items = [...value];
    items[index] = setAt(value[index], rest, replacement, path);
    return items;
  }
  if (value !== undefined && !isJsonObject(value)) {
    throw usageFailure(`--set ${path}: the value before ${JSON.stringify(step)} is not an object.`);
  }
  const inner = value !== undefined && Object.hasOwn(value, step) ? value[step] : undefined;
  return { ...value, [step]: setAt(inner, rest, replacement, path) };
}
