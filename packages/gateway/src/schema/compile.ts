import { describe, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { arrayChecks } from './arrays.js';
import { fault, fits, type SchemaCheck, spend, step, stepInto } from './check.js';
import { objectChecks } from './objects.js';
import { compilePattern, type Pattern, scalarChecks } from './scalars.js';

/** Checks for schema combinators: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function combinations(part: JsonObject, compiler: Compiler): readonly SchemaCheck[] {
  const checks: SchemaCheck[] = [];
  const { allOf, anyOf, oneOf, not, if: when, then, else: otherwise } = part;
  if (isJsonArray(allOf)) for (const each of allOf) checks.push(stepInto(compiler.schema(each)));
  if (isJsonArray(anyOf)) {
    const alternatives = anyOf.map((each) => compiler.schema(each));
    checks.push((value, path, run) => {
      if (alternatives.some((check) => fits(check, value, run))) return;
      explain(alternatives, value, path, run);
    });
  }
  if (isJsonArray(oneOf)) {
    const alternatives = oneOf.map((each) => compiler.schema(each));
    checks.push((value, path, run) => {
      const fitting = alternatives.filter((check) => fits(check, value, run)).length;
      if (fitting === 0) explain(alternatives, value, path, run);
      if (fitting > 1)
        fault(run, path, value, `a value that fits exactly one alternative; this one fits ${fitting}`);
    });
  }
  if (not !== undefined) {
    const check = compiler.schema(not);
    checks.push((value, path, run) => {
      if (fits(check, value, run)) fault(run, path, value, 'something else');
    });
  }
  if (when !== undefined && (then !== undefined || otherwise !== undefined)) {
    const condition = compiler.schema(when);
    const [yes, no] = [compiler.schema(then ?? true), compiler.schema(otherwise ?? true)];
    checks.push((value, path, run) => step(fits(condition, value, run) ? yes : no, value, path, run));
  }
  return checks;
}

/** With one alternative, its faults are the problem; with several, it is unclear which was meant. */
function explain(
  alternatives: readonly SchemaCheck[],
  value: Parameters<SchemaCheck>[0],
  path: string,
  run: Parameters<SchemaCheck>[2],
) {
  const [only, ...others] = alternatives;
  if (only !== undefined && others.length === 0) step(only, value, path, run);
  else fault(run, path, value, `a value that fits one of ${alternatives.length} alternatives`);
}

/** Why a schema is unusable. */
export class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError';
}

const MAX_PARTS = 5_000;
/** The maximum nesting, including `$ref` chains: each level takes stack space. */
const DEEPEST_PART = 500;
const MAX_PATTERNS = 200;
const MAX_PATTERN_LENGTH = 1_000;

/** Compiles the parts of one schema. */
export interface Compiler {
  readonly schema: (part: JsonValue) => SchemaCheck;
  readonly pattern: (source: string) => Pattern;
}

/**
 * Compiles a JSON Schema (draft 7 to 2020-12). Unknown keywords, such as `format`, are ignored.
 *
 * @throws UnusableSchemaError if it is too large or too deep, refers to something outside itself, or has a
 * pattern that needs backtracking
 */
export function compileSchema(root: JsonObject): SchemaCheck {
  const made = new Map<JsonValue, SchemaCheck>();
  let parts = 0;
  let depth = 0;
  let patterns = 0;

  const compiler: Compiler = {
    schema(part) {
      if (part === true) return anything;
      if (part === false) return nothing;
      if (!isJsonObject(part))
        throw new UnusableSchemaError(`It has ${describe(part)} where a schema should be.`);
      const known = made.get(part);
      if (known !== undefined) return known;
      if (++parts > MAX_PARTS) throw new UnusableSchemaError(`It has more than ${MAX_PARTS} parts.`);
      let check: SchemaCheck = anything;
      // A part may refer to itself, so it is registered before it is compiled.
      made.set(part, (value, path, run) => check(value, path, run));
      if (++depth > DEEPEST_PART)
        throw new UnusableSchemaError(`It is nested more than ${DEEPEST_PART} levels deep.`);
      const checks = checksOf(part);
      depth--;
      check = (value, path, run) => {
        spend(run, checks.length);
        for (const each of checks) each(value, path, run);
      };
      return check;
    },
    pattern(source) {
      if (++patterns > MAX_PATTERNS || source.length > MAX_PATTERN_LENGTH)
        throw new UnusableSchemaError('It has too many patterns, or they are too long.');
      try {
        return compilePattern(source);
      } catch (cause) {
        const what = `The pattern ${describe(source)} cannot be matched in linear time.`;
        throw new UnusableSchemaError(what, { cause });
      }
    },
  };

  function checksOf(part: JsonObject): readonly SchemaCheck[] {
    const { $ref } = part;
    return [
      ...($ref === undefined ? [] : [stepInto(compiler.schema(resolve(root, $ref)))]),
      ...scalarChecks(part, compiler),
      ...objectChecks(part, compiler),
      ...arrayChecks(part, compiler),
      ...combinations(part, compiler),
    ];
  }

  return compiler.schema(root);
}

const anything: SchemaCheck = () => {};
const nothing: SchemaCheck = (value, path, run) => fault(run, path, value, 'nothing here');

/** The target of a reference inside the schema. */
function resolve(root: JsonObject, reference: JsonValue): JsonValue {
  if (typeof reference !== 'string' || (reference !== '#' && !reference.startsWith('#/')))
    throw new UnusableSchemaError(`It refers to ${describe(reference)}, outside itself.`);
  let found: JsonValue | undefined = root;
  for (const key of reference.split('/').slice(1)) {
    const name = unescapeKey(key);
    found = isJsonArray(found) ? found[Number(name)] : isJsonObject(found) ? found[name] : undefined;
  }
  if (found === undefined)
    throw new UnusableSchemaError(`It refers to ${describe(reference)}, which does not exist.`);
  return found;
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new UnusableSchemaError(`It refers to ${describe(key)}, which is not a valid location.`);
  }
}
