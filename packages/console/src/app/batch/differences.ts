import { canonicalJson, type JsonObject, type JsonValue } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';
import { partsOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';

/** What a call is given: its arguments, and apart from them, since names may meet, what is sent beside them. */
export type Parts = ReturnType<typeof partsOf>;

/** What similar calls have in common, and what is different about each of them. */
export interface Comparison {
  readonly common: Parts;
  /** In the order of the calls. */
  readonly different: readonly Parts[];
  /** The names of what is not the same everywhere; those beside the arguments in brackets. */
  readonly differing: readonly string[];
}

/** Compares calls argument by argument. */
export function compare(proposals: readonly Proposal[]): Comparison {
  const all = proposals.map(partsOf);
  const given = differingIn(all.map((parts) => parts.given));
  const others = differingIn(all.map((parts) => parts.others));
  const only = (parts: Parts, isDifferent: boolean): Parts => ({
    given: pick(parts.given, (name) => given.has(name) === isDifferent),
    others: pick(parts.others, (name) => others.has(name) === isDifferent),
  });
  return {
    common: only(all[0] ?? { given: {}, others: {} }, false),
    different: all.map((parts) => only(parts, true)),
    differing: [...given, ...[...others].map((name) => `(${name})`)],
  };
}

function differingIn(all: readonly JsonObject[]): ReadonlySet<string> {
  const names = new Set(all.flatMap((values) => Object.keys(values)));
  const differs = (name: string): boolean => new Set(all.map((values) => textAt(values, name))).size > 1;
  return new Set([...names].filter(differs));
}

function pick(values: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}

/** Calls are compared for the line in the list, too; there it is enough to look at some. */
const LOOKED_AT = 50;

/** In what similar calls differ, on one line. */
export function differencesOf(proposals: readonly Proposal[]): string {
  const { differing } = compare(proposals.slice(0, LOOKED_AT));
  if (differing.length === 0) return 'all the same';
  return `they differ in ${differing.map(plainLine).join(', ')}`;
}

function textAt(values: JsonObject, name: string): string {
  const value: JsonValue | undefined = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined ? '' : canonicalJson(value);
}
