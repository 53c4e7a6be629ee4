import { createRequire } from 'node:module';
import type { JsonValue } from '@proffer/core/json';

const require = createRequire(import.meta.url);

/** The YAML library, loaded when the first file is read: many programs that could read one never do. */
export function yamlLibrary(): typeof import('yaml') {
  return require('yaml') as typeof import('yaml');
}

/** Data as YAML, without folded lines. */
export function formatYaml(value: JsonValue): string {
  return yamlLibrary().stringify(value, { lineWidth: 0 });
}
