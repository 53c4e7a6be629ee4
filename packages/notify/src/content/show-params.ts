import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { type HidingOptions, hideSecrets } from '@proffer/core/secrets';
import { makeVisible } from '@proffer/core/text';
import type { Summary } from '../outbox/outbox.js';

/** Further arguments are not named. */
const MAX_ARGUMENTS = 20;
/** A longer text is cut. */
const MAX_TEXT = 300;

/** What a notification shows of a call's params, and whether that is all of them. */
export function showParams(
  params: JsonObject | undefined,
  hiding: HidingOptions,
): Pick<Summary, 'shown' | 'isWhole'> {
  if (params === undefined) return { shown: [], isWhole: true };
  const { value, hasSecrets } = hideSecrets(params, hiding);
  const { name: _name, uri: _uri, arguments: given, ...others } = value;
  const entries = given !== undefined && isJsonObject(given) ? Object.entries(given) : [];
  const texts = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [[makeVisible(name), textOf(value)] as const],
  );
  const shown = texts.slice(0, MAX_ARGUMENTS).map(([name, text]) => ({ name: cut(name), text: cut(text) }));
  const isWhole =
    !hasSecrets &&
    texts.length <= MAX_ARGUMENTS &&
    Object.keys(others).length === 0 &&
    (given === undefined || isJsonObject(given)) &&
    texts.every(([name, text]) => name.length <= MAX_TEXT && text.length <= MAX_TEXT);
  return { shown, isWhole };
}

function textOf(value: JsonValue): string {
  return makeVisible(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters in all)`;
}
