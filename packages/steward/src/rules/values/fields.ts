import { lookalikesOf } from '@proffer/core/capability';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { ConditionResult } from '../conditions/condition.js';
import { allOf, type ValueTest } from './value-test.js';

/**
 * Judges an object's field by name. If the object also has a key that some parsers confuse with it
 * (`Path` for `path`), the result is in doubt, unless neither can hold.
 */
export function fieldJudge(name: string, test: ValueTest): (given: JsonObject) => ConditionResult {
  const lookalikesIn = lookalikesOf([name]);
  return (given) => {
    const verdict = test.judge(own(given, name));
    const lookalikes = lookalikesIn(given);
    if (lookalikes.length === 0) return verdict;
    const isOut = verdict === 'no' && lookalikes.every(({ key }) => test.judge(given[key]) === 'no');
    return isOut ? 'no' : 'doubt';
  };
}

/** Holds for an object whose named fields pass their tests; further fields do not matter. */
export function fieldsTest(tests: ReadonlyMap<string, ValueTest>): ValueTest {
  const judges = Array.from(tests, ([name, test]) => fieldJudge(name, test));
  const fields = Array.from(tests, ([name, { expected }]) => `${name}: ${expected}`);
  return {
    expected: `an object with ${fields.join(', ')}`,
    judge: (value) => {
      if (!isJsonObject(value)) return 'no';
      return allOf(judges, (judge) => judge(value));
    },
  };
}

/** Holds for a list with exactly this many items, each passing its test. */
export function itemsTest(tests: readonly ValueTest[]): ValueTest {
  return {
    expected: `a list of ${tests.map(({ expected }) => expected).join(', ')}`,
    judge: (value) => {
      if (!isJsonArray(value) || value.length !== tests.length) return 'no';
      return allOf(tests.entries(), ([index, test]) => test.judge(value[index]));
    },
  };
}

/** Own properties only: a name such as `constructor` may come from the caller. */
export function own(given: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}
