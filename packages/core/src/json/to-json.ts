import { utf8Length } from '../hash/utf8.js';
import { failure, type Refusal, type Result, refuse, success } from '../refusal/refusal.js';
import { describe } from './describe.js';
import { checkKey, refuseNumber, refuseText, where } from './inspect.js';
import { DEFAULT_JSON_LIMITS, formatPath, type JsonLimits, type JsonValue } from './json.js';
import { refuseDepth } from './parse.js';

/**
 * Converts a value passed to the API into JSON data: copied, so that the caller's later changes do
 * not reach it. Refuses anything that would be lost or changed: cycles, NaN, functions, class
 * instances, symbols, bigints; and values of more than `maxBytes` as JSON text. As in JSON,
 * properties that are `undefined`, non-enumerable or symbol-keyed are left out.
 */
export function toJson(input: unknown, limits: JsonLimits = DEFAULT_JSON_LIMITS): Result<JsonValue> {
  const path: (string | number)[] = [];
  const ancestors: object[] = [];
  let budget = limits.maxBytes;

  // Throwing inside and catching at the edge keeps the recursion readable.
  let refused: Refusal | undefined;
  const stop = (refusal: Refusal): never => {
    refused = refusal;
    throw new Error(refusal.message);
  };

  function spend(size: number): void {
    budget -= size;
    if (budget < 0) {
      stop(
        refuse('too_large', `The value has more than the ${limits.maxBytes} bytes allowed.`, {
          field: formatPath(path),
          expected: `at most ${limits.maxBytes} bytes`,
        }),
      );
    }
  }

  function copyText(text: string): string {
    if (!text.isWellFormed()) stop(refuseText(path));
    // A text over the budget even without escapes is not worth serialising.
    spend(text.length > budget ? text.length : utf8Length(JSON.stringify(text)));
    return text;
  }

  function copy(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        return copyText(value);
      case 'number':
        if (!Number.isFinite(value)) stop(refuseNumber(path, value));
        spend(String(value).length);
        return value;
      case 'boolean':
        spend(String(value).length);
        return value;
      case 'object':
        if (value !== null) return copyObject(value);
        spend('null'.length);
        return null;
      default:
        return stop(refuseValue(value, path));
    }
  }

  function copyObject(object: object): JsonValue {
    if (ancestors.includes(object)) {
      return stop(refuse('not_json', `${where(path)} contains itself.`, { field: formatPath(path) }));
    }
    ancestors.push(object);
    if (ancestors.length > limits.maxDepth) stop(refuseDepth(ancestors.length, limits.maxDepth));
    spend('{}'.length);
    const copied = Array.isArray(object) ? copyItems(object) : copyProperties(object);
    ancestors.pop();
    return copied;
  }

  function copyItems(items: readonly unknown[]): JsonValue {
    const copied: JsonValue[] = [];
    for (let index = 0; index < items.length; index++) {
      path.push(index);
      if (index > 0) spend(','.length);
      copied.push(copy(items[index]));
      path.pop();
    }
    return copied;
  }

  function copyProperties(object: object): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(object);
    // A plain object of another realm (a frame, a vm context) has that realm's Object.prototype.
    const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
    if (!plain) stop(refuseValue(object, path));
    const copied: Record<string, JsonValue> = {};
    let first = true;
    for (const key of Object.keys(object)) {
      const value: unknown = (object as Record<string, unknown>)[key];
      if (value === undefined) continue;
      path.push(key);
      const refusal = checkKey(key, path);
      if (refusal !== undefined) stop(refusal);
      spend(first ? ':'.length : ',:'.length);
      first = false;
      copied[copyText(key)] = copy(value);
      path.pop();
    }
    return copied;
  }

  try {
    return success(copy(input));
  } catch {
    // Not one of our refusals, so the caller's getter or proxy threw: its value is unavailable.
    refused ??= refuse('not_json', `${where(path)} could not be read.`, { field: formatPath(path) });
    return failure(refused);
  }
}

function refuseValue(value: unknown, path: readonly (string | number)[]): Refusal {
  const found = typeof value === 'object' ? 'an instance of a class' : describe(value);
  return refuse('not_json', `${where(path)} is ${found}.`, { field: formatPath(path), found });
}
