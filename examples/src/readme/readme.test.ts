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

describe('the README', () => {
  it.each(PROGRAMS)('shows %s as it is in the examples', (name) => {
    expect(read(new URL('../../../README.md', import.meta.url))).toContain(read(program(name)).trim());
  });

  it.each(PROGRAMS)('%s does what the README says, in plain Node', async (name, prints) => {
    await using gateway = await startOnLoopback();
    const env = {
      ...process.env,
      PROFFER_URL: gateway.url,
      PROFFER_GRPC: gateway.target,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program(name))], { env });
    expect(stdout).toBe(prints);
  });
});
