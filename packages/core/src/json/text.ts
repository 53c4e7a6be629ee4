import type { JsonValue } from './json.js';

/** The text of a field that was checked to be text; empty where there is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
