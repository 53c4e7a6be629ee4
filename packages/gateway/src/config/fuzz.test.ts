import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleConfig } from './example-config.js';
import { parseConfig } from './parse-config.js';
import { formatProblems } from './read/problem.js';

const RUNS = { numRuns: process.env['PROFFER_LONG'] === undefined ? 300 : 6000 };
const HASH = `sha256:${'0'.repeat(64)}`;
const example = exampleConfig({
  agent: HASH,
  reviewer: HASH.replace('00', '01'),
  tools: HASH.replace('00', '02'),
});
const lines = example.replace(/^(\s*)#(?=[a-z])/gm, '$1').split('\n');

/** A configuration, or printable problems; never an exception, never neither. */
function check(text: string, env: Record<string, string> = {}): void {
  const { config, problems } = parseConfig(text, { file: 'fuzz.yaml', env });
  if (config !== undefined) return;
  expect(problems.length).toBeGreaterThan(0);
  for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
  expect(formatProblems(problems)).toContain('nothing was started');
}

it('any text is a configuration or has problems', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => check(text)),
    RUNS,
  );
});

it('any configuration with lines removed, swapped or corrupted is a configuration or has problems', () => {
  const spoil = fc.record({
    at: fc.nat(lines.length - 1),
    by: fc.oneof(
      fc.constantFrom('', '  - x', 'null', '{}', '[]', '  a: 1', '&a *a', '"', '\t', '? [1]: 2', 'spaces: 7'),
      fc.nat(lines.length - 1).map((other) => lines[other] ?? ''),
      fc.string({ maxLength: 20 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(spoil, { minLength: 1, maxLength: 8 }), (spoils) => {
      const spoilt = [...lines];
      for (const { at, by } of spoils) spoilt[at] = by;
      check(spoilt.join('\n'));
    }),
    RUNS,
  );
});

it('any JSON value at any key is a configuration or has problems', () => {
  const key = fc.constantFrom(
    'dev',
    'listen',
    'tls',
    'journal',
    'spaces',
    'capabilities',
    'participants',
    'jwt',
    'limits',
  );
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.jsonValue(), (root, value) => {
      check(JSON.stringify(root), {
        MACP_AUTH_TOKENS_JSON: JSON.stringify({ tokens: [value] }),
        PROFFER_JWT_JWKS: JSON.stringify(value),
        PROFFER_LISTEN_HTTP: JSON.stringify(value),
      });
    }),
    RUNS,
  );
});
