import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createToken } from '../token.js';
import { loadConfig } from './load-config.js';

const folder = mkdtempSync(join(tmpdir(), 'proffer-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reads the file, and the files named by it and the environment', () => {
  const file = join(folder, 'proffer.yaml');
  const tokens = join(folder, 'tokens.json');
  writeFileSync(
    file,
    `participants: { agent: { tokens: [${createToken().hash}] } }\ntls: { cert: a.crt, key: b.key }\n`,
  );
  writeFileSync(tokens, JSON.stringify({ tokens: [{ token: 'one', sender: 'other' }] }));
  writeFileSync(join(folder, 'a.crt'), '');
  expect(loadConfig(file, {}).problems).toMatchObject([{ source: file, line: 2, path: 'tls.key' }]);
  writeFileSync(join(folder, 'b.key'), '');
  const { config } = loadConfig(file, { MACP_AUTH_TOKENS_FILE: tokens });
  expect(config?.tls).toEqual({ cert: join(folder, 'a.crt'), key: join(folder, 'b.key') });
  expect(config?.tokens.map(({ participant }) => participant)).toEqual(['agent', 'other']);
});

it('says which file cannot be read', () => {
  const gone = join(folder, 'gone.yaml');
  expect(loadConfig(gone, {}).problems).toMatchObject([
    { source: gone, message: expect.stringContaining('proffer init') },
  ]);
  const problems = loadConfig(undefined, { MACP_AUTH_TOKENS_FILE: gone }).problems;
  expect(problems).toMatchObject([{ source: '$MACP_AUTH_TOKENS_FILE' }]);
});

it('I-4: an empty file is not dev mode with MACP_ALLOW_INSECURE=1', () => {
  const file = join(folder, 'empty.yaml');
  writeFileSync(file, '');
  const env = { MACP_ALLOW_INSECURE: '1' };
  expect(loadConfig(file, env).problems).toMatchObject([
    { message: expect.stringContaining('Nobody would be able to connect') },
  ]);
  expect(loadConfig(undefined, env).config?.dev).toBe(true);
});

it('works without a file', () => {
  expect(loadConfig(undefined, { PROFFER_DEV: 'true' }).config?.dev).toBe(true);
});
