import { canonicalJson, isJsonArray, type JsonObject, type JsonValue, listOf } from '@proffer/core/json';
import { at, fault, fits, type SchemaCheck, spendOn, step } from './check.js';
import type { Compiler } from './compile.js';
import { range } from './scalars.js';

/** Checks for the array keywords of a schema. */
export function arrayChecks(part: JsonObject, compiler: Compiler): readonly SchemaCheck[] {
  const checks: ArrayCheck[] = [];
  const { minItems, maxItems, uniqueItems, contains, minContains, maxContains } = part;
  if (typeof minItems === 'number' || typeof maxItems === 'number') {
    const least = typeof minItems === 'number' ? minItems : 0;
    const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY;
    checks.push((value, path, run) => {
      if (value.length < least || value.length > most) fault(run, path, value, `${range(least, most)} items`);
    });
  }
  if (uniqueItems === true) {
    checks.push((value, path, run) => {
      const texts = value.map((item) => {
        const text = canonicalJson(item);
        spendOn(run, text);
        return text;
      });
      if (new Set(texts).size < value.length) fault(run, path, value, 'each item once');
    });
  }
  if (contains !== undefined) {
    const check = compiler.schema(contains);
    const least = typeof minContains === 'number' ? minContains : 1;
    const most = typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY;
    checks.push((value, path, run) => {
      const { length } = value.filter((item) => fits(check, item, run));
      if (length < least || length > most) fault(run, path, value, `${range(least, most)} items of one kind`);
    });
  }
  const items = itemCheck(part, compiler);
  if (items !== undefined) checks.push(items);
  return checks.map((check) => (value, path, run) => {
    if (isJsonArray(value)) check(value, path, run);
  });
}

type ArrayCheck = (value: readonly JsonValue[], path: string, run: Parameters<SchemaCheck>[2]) => void;

/** `prefixItems` and `items`; in draft 7 an array of `items`, and `additionalItems`. */
function itemCheck(part: JsonObject, compiler: Compiler): ArrayCheck | undefined {
  const { items, additionalItems } = part;
  const prefix = isJsonArray(items) ? items : listOf(part['prefixItems']);
  const others = isJsonArray(items) ? additionalItems : items;
  const first = prefix.map((each) => compiler.schema(each));
  const rest = others === undefined ? undefined : compiler.schema(others);
  if (first.length === 0 && rest === undefined) return undefined;
  return (value, path, run) => {
    for (const [index, item] of value.entries()) {
      const check = first[index] ?? rest;
      if (check !== undefined) step(check, item, at(path, index, run), run);
    }
  };
}
