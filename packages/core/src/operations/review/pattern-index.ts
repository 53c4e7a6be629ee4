import type { Capability } from '../../capability/capability.js';
import { foldName, foldText, isDoubtfulPath, type Strictness } from '../../capability/deny-match.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';

/**
 * Patterns over calls of one kind, indexed so that a call is tested against few of them: those about
 * the same argument are found by its prefix, however many there are.
 */
export interface PatternIndex {
  /** Unindexed patterns: every call is tested against them. */
  readonly rest: readonly Capability[];
  readonly groups: readonly Group[];
}

/** Patterns over the same argument. */
interface Group {
  /** The path of the value in a payload. */
  readonly steps: readonly string[];
  readonly all: readonly Capability[];
  /** By the prefix of matching texts, as written, and folded. */
  readonly written: Beginnings;
  readonly folded: Beginnings;
}

interface Beginnings {
  readonly byText: ReadonlyMap<string, readonly Capability[]>;
  /** The lengths of these prefixes, each once. */
  readonly lengths: readonly number[];
}

/** A text pattern in a payload: its path, and the text before its first star. */
interface Leaf {
  readonly steps: readonly string[];
  readonly pattern: string;
}

/** With so few, testing is as fast as a lookup. */
const FEW = 4;

/** Indexes patterns for {@link candidatePatterns}. Once per policy, not per message. */
export function createPatternIndex(capabilities: readonly Capability[]): PatternIndex {
  if (capabilities.length <= FEW) return { rest: capabilities, groups: [] };
  const leaves = new Map(capabilities.map((capability) => [capability, leavesOf(capability)]));
  const variety = new Map<string, Set<string>>();
  for (const { steps, pattern } of [...leaves.values()].flat()) {
    const key = JSON.stringify(steps);
    variety.set(key, (variety.get(key) ?? new Set()).add(beginning(pattern)));
  }
  // The argument in which the patterns differ most is the best index.
  const varietyOf = ({ steps }: Leaf): number => variety.get(JSON.stringify(steps))?.size ?? 0;
  const rest: Capability[] = [];
  const grouped = new Map<string, [Capability, Leaf][]>();
  for (const [capability, all] of leaves) {
    const [best] = all.toSorted((one, other) => varietyOf(other) - varietyOf(one));
    if (best === undefined) rest.push(capability);
    else {
      const key = JSON.stringify(best.steps);
      grouped.set(key, [...(grouped.get(key) ?? []), [capability, best]]);
    }
  }
  return { rest, groups: [...grouped.values()].map(groupOf) };
}

/** The patterns that a payload may match: all that do are among them. */
export function candidatePatterns(
  { rest, groups }: PatternIndex,
  payload: JsonObject,
  reading: Strictness,
): readonly Capability[] {
  if (groups.length === 0) return rest;
  const found = [...rest];
  for (const group of groups) {
    const value = valueAt(payload, group.steps, reading);
    if (value === undefined) continue;
    if (value === ANYTHING || (reading === 'wide' && isInDoubt(value))) found.push(...group.all);
    else if (typeof value === 'string') {
      collect(found, group.written, value);
      if (reading === 'wide') collect(found, group.folded, foldText(value));
    }
  }
  return found;
}

/** The texts among a payload's patterns that have a fixed prefix. */
function leavesOf({ source }: Capability): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (value: JsonValue | undefined, steps: readonly string[]): void => {
    if (typeof value === 'string') {
      if (beginning(foldText(value)) !== '') leaves.push({ steps, pattern: value });
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...steps, key]);
    }
  };
  if (typeof source === 'object') walk(source.payload, []);
  return leaves;
}

/**
 * The prefix of texts that match a pattern; for a folder without its last slash, since the folder
 * itself may be meant.
 */
function beginning(pattern: string): string {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern;
  return pattern.slice(0, star).replace(/\/$/, '');
}

function groupOf(members: readonly [Capability, Leaf][]): Group {
  const [[, { steps }]] = members as [[Capability, Leaf]];
  return {
    steps,
    all: members.map(([capability]) => capability),
    written: beginningsOf(members, (pattern) => pattern),
    folded: beginningsOf(members, foldText),
  };
}

function beginningsOf(members: readonly [Capability, Leaf][], form: (pattern: string) => string): Beginnings {
  const byText = new Map<string, Capability[]>();
  for (const [capability, { pattern }] of members) {
    const text = beginning(form(pattern));
    byText.set(text, [...(byText.get(text) ?? []), capability]);
  }
  return { byText, lengths: [...new Set(Array.from(byText.keys(), ({ length }) => length))] };
}

function collect(found: Capability[], { byText, lengths }: Beginnings, text: string): void {
  for (const length of lengths) {
    if (length > text.length) continue;
    const some = byText.get(text.slice(0, length));
    if (some === undefined) continue;
    for (const capability of some) if (!found.includes(capability)) found.push(capability);
  }
}

/** Undecidable: a key on the path may be mistaken for another. */
const ANYTHING = Symbol('anything');

/** The value at a path; `undefined` if absent. For restrictions, doubt counts. */
function valueAt(
  payload: JsonObject,
  steps: readonly string[],
  reading: Strictness,
): JsonValue | typeof ANYTHING | undefined {
  let value: JsonValue | undefined = payload;
  for (const step of steps) {
    if (!isJsonObject(value)) return undefined;
    if (reading === 'wide' && hasLookalike(value, step)) return ANYTHING;
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function hasLookalike(object: JsonObject, wanted: string): boolean {
  for (const key of Object.keys(object))
    if (key !== wanted && foldName(key) === foldName(wanted)) return true;
  return false;
}

/** An array or object that is read as text may contain anything, and a path may lead anywhere. */
function isInDoubt(value: JsonValue): boolean {
  return typeof value === 'string' ? isDoubtfulPath(value) : typeof value === 'object' && value !== null;
}
