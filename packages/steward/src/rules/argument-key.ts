import { foldText } from '@proffer/core/capability';
import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';
import type { RuleAction } from './rule-set.js';

/**
 * What tells, before a condition is judged, that it cannot hold: the argument is not this value, or does
 * not begin so. An argument that is in doubt by itself (a list, an object, a path that is not plain) tells
 * nothing.
 */
export type ArgumentKey =
  | { readonly name: string; readonly value: number | boolean | null }
  | { readonly name: string; readonly beginnings: Beginnings };

/** One of these holds for every text that can match. None is empty. */
export interface Beginnings {
  /** It begins with this. */
  readonly plain: string;
  /** It begins with this once it is folded. Absent where what only looks different does not match. */
  readonly folded?: string;
}

/** The key of an argument that must follow a pattern; `undefined` where the pattern does not tell. */
export function patternKey(name: string, source: JsonValue, action: RuleAction): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const plain = beforeStar(source);
  if (action === 'allow') return plain === '' ? undefined : { name, beginnings: { plain } };
  // For what forbids, `/etc` itself is in `/etc/**`.
  const folded = beforeStar(foldText(source).replace(/\/\*\*$/, ''));
  return plain === '' || folded === '' ? undefined : { name, beginnings: { plain, folded } };
}

/** The key of an argument that must be a value. */
export function equalKey(name: string, source: JsonValue): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const folded = foldText(source);
  return source === '' || folded === '' ? undefined : { name, beginnings: { plain: source, folded } };
}

/** The key that leaves the fewest calls over: a value, else the longest beginning. */
export function narrowestKey(keys: readonly ArgumentKey[]): ArgumentKey | undefined {
  const width = (key: ArgumentKey) =>
    'value' in key ? Number.POSITIVE_INFINITY : key.beginnings.plain.length;
  return keys.toSorted((one, other) => width(other) - width(one))[0];
}

function valueKey(name: string, source: JsonValue): ArgumentKey | undefined {
  if (typeof source === 'string' || isJsonArray(source) || isJsonObject(source)) return undefined;
  return { name, value: source };
}

function beforeStar(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}
