import { type Result, success } from '@proffer/core';
import { isDisguised, looksLike, parsePayloadPattern } from '@proffer/core/capability';
import {
  canonicalJson,
  describe,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  makeVisible,
  sameJson,
} from '@proffer/core/json';
import type { ValueTest } from './value-test.js';

/**
 * Holds for what matches a pattern (O-8); in doubt for what could be mistaken for a match. Refuses an
 * invalid pattern.
 */
export function patternTest(source: JsonValue, field: string): Result<ValueTest> {
  const narrow = parsePayloadPattern({ value: source }, field, 'narrow');
  const wide = parsePayloadPattern({ value: source }, field, 'wide');
  if (!narrow.ok) return narrow;
  if (!wide.ok) return wide;
  const isPath = typeof source === 'string' && /[/\\]/.test(source);
  return success({
    expected: show(source),
    judge: (value) => {
      if (value === undefined) return 'no';
      if (!narrow.value({ value })) return wide.value({ value }) ? 'doubt' : 'no';
      return isPath && typeof value === 'string' && isDisguised(value) ? 'doubt' : 'yes';
    },
  });
}

/** Holds for exactly this value, asterisks included; in doubt for one that only looks different. */
export function equalTest(source: JsonValue): ValueTest {
  const looksSame = typeof source === 'string' ? looksLike(source) : () => false;
  return {
    expected: `exactly ${show(source)}`,
    judge: (value) => {
      if (value === undefined) return 'no';
      if (sameJson(value, source)) return 'yes';
      return looksSame(value) ? 'doubt' : 'no';
    },
  };
}

/** A value for people: shortened, without invisible characters. */
export function show(value: JsonValue | undefined): string {
  if (!isJsonObject(value) && !isJsonArray(value)) return describe(value);
  const shown = makeVisible(canonicalJson(value));
  return shown.length <= 120 ? shown : describe(value);
}
