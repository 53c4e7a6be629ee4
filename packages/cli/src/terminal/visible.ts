import { inOrderOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { hideInText, hideSecrets } from '@proffer/core/secrets';
import { makeVisible } from '@proffer/core/text';

/**
 * Text from others, on one line. Everything that a person could not see, or that would move the cursor or reorder what
 * they see, is shown as an escape.
 */
export function visible(text: string): string {
  return makeVisible(text);
}

/** What somebody said, on one line: its line breaks are shown as ↵. Secrets are hidden unless they are revealed. */
export function visibleLine(text: string, isRevealed = false): string {
  const shown = isRevealed ? text : hideInText(text);
  return makeVisible(shown.replace(/[ \t\r\n]+$/, '').replaceAll(/\r?\n/g, ' ↵ '));
}

/**
 * What somebody said, line by line. Each line is prefixed with a gutter, so that none can pass for our own output.
 * Secrets are hidden unless they are revealed.
 */
export function visibleLines(text: string, gutter: string, isRevealed = false): readonly string[] {
  const shown = isRevealed ? text : hideInText(text);
  return shown.split(/\r?\n/).map((line) => `${gutter}${makeVisible(line.replaceAll('\t', '    '))}`);
}

/** A field that should be text, as text: empty if absent, JSON if it is something else. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A JSON value on one line, with the keys of objects in order. Secrets are hidden unless they are revealed. */
export function visibleJson(value: JsonValue | undefined, isRevealed = false): string {
  if (value === undefined) return 'nothing';
  return makeVisible(JSON.stringify(inOrder(isRevealed ? value : hideSecrets(value).value)));
}

function inOrder(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(inOrder);
  return isJsonObject(value) ? Object.fromEntries(entriesInOrder(value)) : value;
}

/**
 * An object with its keys sorted, including nested ones. A journal sorts keys and a gateway keeps the order in which
 * they came: without this, the same arguments would be shown in two ways.
 */
export function entriesInOrder(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.keys(value)
    .sort()
    .map((key) => [key, inOrder(value[key] ?? null)]);
}

/**
 * The arguments of a call as `key=value`, for one line of a table or a log; without their secrets.
 *
 * @param order - the names that come first; the rest follows in alphabetical order
 */
export function visibleArguments(value: JsonValue | undefined, order: readonly string[] = []): string {
  if (value === undefined) return '';
  const shown = hideSecrets(value).value;
  if (!isJsonObject(shown)) return visibleJson(shown);
  return inOrderOf(order, entriesInOrder(shown))
    .map(([key, item]) => `${makeVisible(key)}=${visibleJson(item)}`)
    .join(' ');
}

/**
 * A JSON value over several lines, each with the gutter; long texts in it keep their line breaks escaped. Secrets are
 * hidden unless they are revealed.
 */
export function visibleBlock(
  value: JsonValue | undefined,
  gutter: string,
  isRevealed = false,
): readonly string[] {
  const shown = isRevealed || value === undefined ? value : hideSecrets(value).value;
  const structured = isJsonObject(shown) || isJsonArray(shown);
  const text = structured
    ? JSON.stringify(inOrder(shown), undefined, 2)
    : (JSON.stringify(shown) ?? 'nothing');
  return visibleLines(text, gutter, isRevealed);
}
