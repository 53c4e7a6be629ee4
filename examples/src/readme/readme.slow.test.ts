import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it } from 'vitest';

const PROGRAMS = [
  ['quick-start.mjs', 'Hello, Ada!\n'],
  ['negotiate.mjs', 'Committed p2\n'],
] as const;
const program = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

describe('README', () => {
  it.each(PROGRAMS)('shows %s exactly as in the examples', (name) => {
    // The import that handles a missing gateway is not shown in the README.
    const shown = read(program(name)).replace("import './needs-gateway.mjs';\n", '');
    expect(read(new URL('../../../README.md', import.meta.url))).toContain(shown.trim());
  });

  it.each(PROGRAMS)('%s works as described, in plain Node', async (name, prints) => {
    await using gateway = await startOnLoopback();
    const env = {
      ...process.env,
      PROFFER_URL: gateway.url,
      PROFFER_GRPC: gateway.target,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program(name))], { env });
    expect(stdout).toBe(prints);
  });

  it.each(PROGRAMS)('%s gives advice when no gateway is running', async (name) => {
    const env = { ...process.env, PROFFER_URL: 'ws://127.0.0.1:1', PROFFER_GRPC: '127.0.0.1:1' };
    const ran = promisify(execFile)(process.execPath, [fileURLToPath(program(name))], { env });
    const { stderr } = await ran.then(
      () => expect.unreachable('It needs a gateway.'),
      (error: { readonly stderr: string }) => error,
    );
    expect(stderr).toMatch(/^No gateway answers at .*127\.0\.0\.1:1 \(ECONNREFUSED\)\.\nRun npm start .*\n$/);
  });
});
