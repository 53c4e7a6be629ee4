import { isJsonArray, type JsonObject } from '@proffer/core/json';
import { fault, fits, type SchemaCheck, step, stepInto } from './check.js';
import type { Compiler } from './compile.js';

/** Checks for schema combinators: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
export function combinations(part: JsonObject, compiler: Compiler): readonly SchemaCheck[] {
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
      if (fitting > 1) fault(run, path, value, `a value that fits one alternative; it fits ${fitting}`);
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
