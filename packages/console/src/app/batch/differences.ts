import { canonicalJson, type JsonObject, type JsonValue, type Proposal } from '@proffer/core';
import { partsOf } from '../space/tools.js';
import { plainLine } from '../text/marked.js';

/** What similar calls have in common, and in which arguments they differ. */
export interface Comparison {
  readonly common: JsonObject;
  /** The names of the arguments that are not the same everywhere. */
  readonly differing: readonly string[];
}

/** Everything that a call is given, under names that cannot meet: whatever stands beside its arguments in brackets. */
export function valuesOf(proposal: Proposal): JsonObject {
  const { given, others } = partsOf(proposal);
  const beside = Object.entries(others).map(([name, value]) => [`(${name})`, value]);
  return { ...given, ...Object.fromEntries(beside) };
}

/** Compares calls argument by argument. */
export function compare(proposals: readonly Proposal[]): Comparison {
  const all = proposals.map(valuesOf);
  const names = new Set(all.flatMap((values) => Object.keys(values)));
  const differing = [...names].filter((name) => {
    const texts = all.map((values) => textAt(values, name));
    return texts.some((text) => text !== texts[0]);
  });
  const common = Object.entries(all[0] ?? {}).filter(([name]) => !differing.includes(name));
  return { common: Object.fromEntries(common), differing };
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
