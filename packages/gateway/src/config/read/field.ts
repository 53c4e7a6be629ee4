import { formatPath } from '@proffer/core/json';
import {
  isNothing,
  listed,
  type MapTree,
  type Path,
  type Report,
  readList,
  reportUnknownKeys,
  type SourcePosition,
  type Tree,
  type ValueReader,
  wantedShape,
} from '@proffer/reading';

/**
 * How to read a value from an environment variable: as it is, as comma-separated texts, as JSON, or not at
 * all.
 */
export type VariableForm = 'text' | 'list' | 'json' | 'none';

/**
 * One key of the configuration: how its value is read, and its default. Readers report problems and return `undefined`,
 * or what can be made of the rest; the owner of the report decides what follows.
 */
export interface Field<Value> {
  readonly read: ValueReader<Value>;
  readonly absent: (owner: SourcePosition, path: Path, report: Report) => Value | undefined;
  readonly variable: VariableForm;
  /** Of a section with fixed keys: those keys. */
  readonly keys?: ReadonlyMap<string, Field<unknown>>;
}

/** A required key. */
export function field<Value>(read: ValueReader<Value>, variable: VariableForm = 'text'): Field<Value> {
  return { read, absent: reportMissing, variable };
}

/** An optional key without a default. */
export function optional<Value>(from: Field<Value>): Field<Value | undefined> {
  return { ...from, absent: () => undefined };
}

/** An optional key with a default. */
export function withDefault<Value>(from: Field<Value>, value: NoInfer<Value>): Field<Value> {
  return { ...from, absent: () => value };
}

/** What a key's value is read into. */
export type ValueOf<Key> = Key extends Field<infer Value> ? Value : never;

type Fields<Shape> = { readonly [Key in keyof Shape]-?: Field<Shape[Key]> };

/**
 * A section with fixed keys, written in snake_case and read into the camelCase properties of `Shape`.
 * Unknown keys are problems, with the nearest known one, unless `open`, then they are ignored.
 * When the section is not written, the defaults of its keys hold.
 */
export function section<Shape extends object>(
  fields: Fields<Shape>,
  open: 'open' | 'closed' = 'closed',
): Field<Shape> {
  const properties = Object.keys(fields) as (keyof Shape & string)[];
  const keys = new Map(
    properties.map((property) => [snakeCase(property), fields[property] as Field<unknown>]),
  );

  function readMap(tree: MapTree, path: Path, report: Report): Shape | undefined {
    if (open === 'closed')
      reportUnknownKeys(tree, path, report, { keys: [...keys.keys()], whole: 'A configuration' });
    const shape: Partial<Shape> = {};
    let complete = true;
    for (const property of properties) {
      const key = snakeCase(property);
      const entry = tree.entries.get(key);
      const at = [...path, key];
      const absent = (tell: Report) => fields[property].absent(tree.at, at, tell);
      const incomplete: Report = (...problem) => {
        complete = false;
        if (entry === undefined) report(...problem);
      };
      // A wrong value counts as absent from here on, so that the rest can be checked in the same run.
      const value = (entry && fields[property].read(entry.value, at, report)) ?? absent(incomplete);
      if (value !== undefined) shape[property] = value;
    }
    return complete ? (shape as Shape) : undefined;
  }
  return {
    read: (tree, path, report) => {
      if (tree.kind === 'map') return readMap(tree, path, report);
      if (isNothing(tree)) return readMap({ kind: 'map', entries: new Map(), at: tree.at }, path, report);
      return wantedShape(tree, path, report, `a section with ${listed(keys.keys())}`);
    },
    absent: (owner, path, report) => readMap({ kind: 'map', entries: new Map(), at: owner }, path, report),
    variable: 'none',
    keys,
  };
}

/** A list, each item read by one reader. Empty if the key has no value. */
export function listOf<Value>(
  item: ValueReader<Value>,
  what: string,
  variable: VariableForm = 'none',
): Field<readonly Value[]> {
  return field(readList(item, what), variable);
}

/**
 * A section whose keys are names chosen by the operator, in file order.
 *
 * @param name - returns what is wrong with a name, or `undefined`
 */
export function mapOf<Value>(
  item: (tree: Tree, path: Path, report: Report, name: string) => Value | undefined,
  name: { readonly what: string; readonly check: (name: string) => string | undefined },
): Field<ReadonlyMap<string, Value>> {
  return field((tree, path, report) => {
    const values = new Map<string, Value>();
    if (isNothing(tree)) return values;
    if (tree.kind !== 'map') return wantedShape(tree, path, report, `a section with ${name.what} as keys`);
    for (const [key, entry] of tree.entries) {
      const wrong = name.check(key);
      if (wrong !== undefined) report(entry.keyAt, formatPath([...path, key]), wrong);
      const value = item(entry.value, [...path, key], report, key);
      if (value !== undefined) values.set(key, value);
    }
    return values;
  }, 'none');
}

/** `max_ttl` for `maxTtl`. */
function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function reportMissing(owner: SourcePosition, path: Path, report: Report): undefined {
  report(owner, formatPath(path), 'This key is missing.');
}
