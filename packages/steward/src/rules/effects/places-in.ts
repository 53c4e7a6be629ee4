import { isDisguised } from '@proffer/core/capability';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { CallFacts } from '../call-facts.js';
import type { PathNames } from './command-facts.js';

/** The paths in an unparsed call's arguments: every text that looks like one. */
export function pathsIn(
  given: JsonObject,
  locate: NonNullable<CallFacts['locate']> = (path) => [[path]],
): readonly PathNames[] {
  return textsIn(given).flatMap((text) => {
    if (/^(?:\/|~\/|[A-Za-z]:[\\/])/.test(text)) return isPlain(text) ? locate(text) : [[]];
    // A relative path depends on an unknown folder.
    return /^\.{1,2}(?:[\\/]|$)|^[^\s:]+[\\/][^\s]*$/.test(text) ? [[]] : [];
  });
}

/** The hosts in an unparsed call's arguments: those of the URLs. */
export function hostsIn(given: JsonObject): readonly (readonly string[])[] {
  return textsIn(given).flatMap((text) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
    const host = URL.canParse(text) ? new URL(text).hostname : '';
    return [host === '' ? [] : [host]];
  });
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}

/** Whether a path leads exactly where it says. */
function isPlain(path: string): boolean {
  return !isDisguised(path) && !/[\\/](?:\.{0,2})(?:[\\/]|$)/.test(path.replace(/[\\/]$/, ''));
}
