import { quote } from './describe.js';

/**
 * A JSON value. Values of this type came through {@link parseJson} or {@link toJson} and need no more
 * checks.
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Absent and `undefined` mean the same; encoders leave both out. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for what JSON calls an object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. `Array.isArray` alone does not narrow a readonly array out of a union. */
export const isJsonArray: (value: unknown) => value is readonly JsonValue[] = Array.isArray;

/** The parser's limits. */
export interface JsonLimits {
  /** UTF-8 bytes of the whole text. Default 1 MiB. */
  readonly maxBytes: number;
  /** Nesting depth of objects and arrays. Default 64. */
  readonly maxDepth: number;
}

export const DEFAULT_JSON_LIMITS: JsonLimits = { maxBytes: 1_048_576, maxDepth: 64 };

/**
 * The position of a value, as a person writes it: `payload.params.items[2]`. Keys come from the
 * sender, so long ones are shortened and invisible characters are shown.
 */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]{0,59}$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  return text;
}
