import { defined, formatPath } from '@proffer/core/json';
import type { AgentLimits, ArgumentRange } from '@proffer/core/operations';
import type { Tree } from '@proffer/reading';
import { type Field, field, listOf, mapOf, optional, section, withDefault } from '../read/field.js';
import { scalar, wholeNumber } from '../read/scalar.js';

const NUMBER = 'a number';

const number = (): Field<number> =>
  scalar((found, plain) => {
    const value = plain && found.trim() !== '' ? Number(found) : Number.NaN;
    return Number.isFinite(value) ? { value } : { expected: NUMBER };
  }, NUMBER);

/** A text, a number or a boolean, unchanged. */
const constant = scalar<string | number | boolean>((found, plain) => {
  if (!plain) return { value: found };
  if (found === 'true' || found === 'false') return { value: found === 'true' };
  const value = Number(found);
  return { value: found.trim() !== '' && Number.isFinite(value) ? value : found };
}, 'a text, a number, true or false');

/** In the words of rules. */
interface WrittenRange {
  readonly gte: number | undefined;
  readonly lte: number | undefined;
  readonly anyOf: readonly (string | number | boolean)[] | undefined;
}

const RANGE = section<WrittenRange>({
  gte: optional(number()),
  lte: optional(number()),
  anyOf: optional(listOf(constant.read, 'values')),
});

/** Earlier names, which older files have. */
const EARLIER: ReadonlyMap<string, string> = new Map([
  ['min', 'gte'],
  ['max', 'lte'],
  ['one_of', 'any_of'],
]);

function inPresentWords(tree: Tree): Tree {
  if (tree.kind !== 'map') return tree;
  const renamed = (key: string): string => {
    const now = EARLIER.get(key);
    return now === undefined || tree.entries.has(now) ? key : now;
  };
  return { ...tree, entries: new Map(Array.from(tree.entries, ([key, entry]) => [renamed(key), entry])) };
}

/** The condition on an argument; an empty one, or one that no value can meet, is a problem. */
const range: Field<ArgumentRange>['read'] = (tree, path, report) => {
  const written = RANGE.read(inPresentWords(tree), path, report);
  if (written === undefined) return undefined;
  const { gte: min, lte: max, anyOf: oneOf } = written;
  const isEmpty = (min ?? max ?? oneOf) === undefined;
  if (isEmpty) report(tree.at, formatPath(path), 'This is empty; expected gte, lte or any_of.');
  if ((min ?? Number.NEGATIVE_INFINITY) > (max ?? Number.POSITIVE_INFINITY))
    report(tree.at, formatPath(path), `gte (${min}) is greater than lte (${max}), so no value fits.`);
  return defined({ min, max, oneOf });
};

const within = mapOf<ArgumentRange>(range, { what: 'names of arguments', check: () => undefined });

/**
 * What agents may approve alone (O-28): which agents, how many per hour, and with which arguments.
 *
 * @param people - names and roles
 */
export function agentLimits(people: () => Field<readonly string[]>): Field<AgentLimits | undefined> {
  const limits = section<{
    readonly from: readonly string[];
    readonly perHour: number;
    readonly within: ReadonlyMap<string, ArgumentRange>;
  }>({
    from: { ...people(), absent: field<readonly string[]>(() => []).absent },
    perHour: wholeNumber(1, 1_000),
    within: withDefault(within, new Map()),
  });
  return optional(
    field<AgentLimits>((tree: Tree, path, report) => {
      const written = limits.read(tree, path, report);
      if (written === undefined) return undefined;
      if (written.from.length === 0)
        report(tree.at, formatPath([...path, 'from']), 'Name at least one agent.');
      return { ...written, within: Object.fromEntries(written.within) };
    }, 'none'),
  );
}
