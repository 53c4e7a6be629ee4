import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { ArgumentCheck, ArgumentVerdict } from '@proffer/core/operations';
import { faultsOf, type SchemaCheck, TooMuchWorkError } from './check.js';
import { compileSchema, UnusableSchemaError } from './compile.js';

/**
 * Checks arguments against the schemas that executors announce (O-39). A schema is compiled when it is first needed,
 * once for as long as it is announced. Whatever a schema asks for, a check costs a bounded amount of work; where that is
 * not enough, or the schema cannot be used, the verdict says so instead of guessing.
 */
export function createArgumentCheck(): ArgumentCheck {
  const compiled = new WeakMap<JsonObject, SchemaCheck | UnusableSchemaError>();

  function compile(schema: JsonObject): SchemaCheck | UnusableSchemaError {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    let made: SchemaCheck | UnusableSchemaError;
    try {
      made = compileSchema(schema);
    } catch (error) {
      if (!(error instanceof UnusableSchemaError)) throw error;
      made = error;
    }
    compiled.set(schema, made);
    return made;
  }

  return (schema: JsonObject, value: JsonValue): ArgumentVerdict => {
    const check = compile(schema);
    if (check instanceof UnusableSchemaError) return { unchecked: check.message };
    try {
      return { faults: faultsOf(check, value, '/arguments') };
    } catch (error) {
      if (error instanceof TooMuchWorkError) return { unchecked: error.message };
      throw error;
    }
  };
}
