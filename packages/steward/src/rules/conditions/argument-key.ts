import { foldText } from '@proffer/core/capability';
import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';
import type { RuleAction } from '../rule-set.js';

/**
 * A quick check that rules out a condition before it is judged: the argument is not this value, or
 * does not start with this text. An argument that is itself in doubt (a list, an object, a path that
 * is not plain) rules out nothing.
 */
export type ArgumentKey =
  | { readonly name: string; readonly value: number | boolean | null }
  | { readonly name: string; readonly beginnings: Beginnings };

/** Every text that can match meets one of these. None is empty. */
export interface Beginnings {
  /** The text starts with this. */
  readonly plain: string;
  /** The folded text starts with this. Absent if text that only looks different does not match. */
  readonly folded?: string;
}

/** The key of an argument that must match a pattern; `undefined` if the pattern gives none. */
export function patternKey(name: string, source: JsonValue, action: RuleAction): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const plain = beforeStar(source);
  if (action === 'allow') return plain === '' ? undefined : { name, beginnings: { plain } };
  // For a rule that denies, `/etc` itself is in `/etc/**`.
  const folded = beforeStar(foldText(source).replace(/\/\*\*$/, ''));
  return plain === '' || folded === '' ? undefined : { name, beginnings: { plain, folded } };
}

/** The key of an argument that must equal a value. */
export function equalKey(name: string, source: JsonValue): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const folded = foldText(source);
  return source === '' || folded === '' ? undefined : { name, beginnings: { plain: source, folded } };
}

/** The key that leaves the fewest calls: a value, else the longest prefix. */
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
