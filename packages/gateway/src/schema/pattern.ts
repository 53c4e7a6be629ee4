import { createRequire } from 'node:module';

/** Whether a text matches. */
export type Pattern = (text: string) => boolean;

const require = createRequire(import.meta.url);

/**
 * A pattern that matches in linear time: schemas come from anyone. Loaded when the first one is needed, which
 * most tools never do.
 *
 * @throws if it is invalid, or needs backtracking
 */
export function compilePattern(source: string): Pattern {
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const compiled = RE2JS.compile(source);
  return (text) => compiled.test(text);
}
