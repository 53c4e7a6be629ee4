import { isJsonObject, type JsonObject, type JsonValue, textsIn } from '@proffer/core/json';
import { at, fault, type SchemaCheck, spend, spendOn, step } from './check.js';
import type { Compiler } from './compile.js';
import { range } from './scalars.js';

/** Checks for the object keywords of a schema. */
export function objectChecks(part: JsonObject, compiler: Compiler): readonly SchemaCheck[] {
  const checks: ObjectCheck[] = [];
  const { required, minProperties, maxProperties, propertyNames, dependentRequired, dependentSchemas } = part;
  for (const name of textsIn(required)) checks.push(needs(name));
  if (typeof minProperties === 'number' || typeof maxProperties === 'number') {
    const least = typeof minProperties === 'number' ? minProperties : 0;
    const most = typeof maxProperties === 'number' ? maxProperties : Number.POSITIVE_INFINITY;
    checks.push((value, path, run) => {
      const { length } = Object.keys(value);
      spend(run, length >> 4);
      if (length < least || length > most) fault(run, path, value, `${range(least, most)} members`);
    });
  }
  if (propertyNames !== undefined) {
    const check = compiler.schema(propertyNames);
    checks.push((value, path, run) => {
      for (const key of Object.keys(value)) step(check, key, at(path, key, run), run);
    });
  }
  for (const [name, others] of entries(dependentRequired)) {
    checks.push((value, path, run) => {
      if (!Object.hasOwn(value, name)) return;
      for (const other of textsIn(others)) {
        spend(run, 1);
        needs(other)(value, path, run);
      }
    });
  }
  for (const [name, schema] of entries(dependentSchemas)) {
    const check = compiler.schema(schema);
    checks.push((value, path, run) => {
      if (Object.hasOwn(value, name)) step(check, value, path, run);
    });
  }
  const members = memberCheck(part, compiler);
  if (members !== undefined) checks.push(members);
  return checks.map((check) => (value, path, run) => {
    if (isJsonObject(value)) check(value, path, run);
  });
}

type ObjectCheck = (value: JsonObject, path: string, run: Parameters<SchemaCheck>[2]) => void;

function needs(name: string): ObjectCheck {
  return (value, path, run) => {
    if (!Object.hasOwn(value, name)) fault(run, at(path, name, run), undefined, 'a value, which is required');
  };
}

/** `properties`, `patternProperties` and `additionalProperties`, which depend on each other. */
function memberCheck(part: JsonObject, compiler: Compiler): ObjectCheck | undefined {
  const { properties, patternProperties, additionalProperties } = part;
  const named = new Map(entries(properties).map(([name, schema]) => [name, compiler.schema(schema)]));
  const matched = entries(patternProperties).map(
    ([source, schema]) => [compiler.pattern(source), compiler.schema(schema)] as const,
  );
  const rest = additionalProperties === undefined ? undefined : compiler.schema(additionalProperties);
  if (named.size === 0 && matched.length === 0 && rest === undefined) return undefined;
  const known = [...named.keys()].map((name) => JSON.stringify(name)).join(', ');
  return (value, path, run) => {
    for (const [key, member] of entries(value)) {
      spend(run, 1);
      const where = at(path, key, run);
      const own = named.get(key);
      const fitting = matched.filter(([matches]) => {
        spendOn(run, key);
        return matches(key);
      });
      if (own !== undefined) step(own, member, where, run);
      for (const [, check] of fitting) step(check, member, where, run);
      if (own !== undefined || fitting.length > 0 || rest === undefined) continue;
      if (additionalProperties === false)
        fault(run, where, member, known === '' ? 'no members' : `only ${known}`);
      else step(rest, member, where, run);
    }
  };
}

function entries(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? (Object.entries(value) as [string, JsonValue][]) : [];
}
