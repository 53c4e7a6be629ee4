import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it } from 'vitest';

const README = 'README.md';
const NEGOTIATING = 'docs/guides/negotiating-agents.md';
/** Prices of the seller and the buyer in turn, and how it ends. */
const offers = (...lines: readonly (number | string)[]): string =>
  lines
    .map((line, turn) =>
      typeof line === 'string' ? line : `${turn % 2 === 0 ? 'seller' : 'buyer'} offers ${line}`,
    )
    .join('\n')
    .concat('\n');
const PROGRAMS = [
  ['quick-start.mjs', README, [], 'Hello, Ada!\n'],
  ['negotiate.mjs', README, [], 'Committed p2\n'],
  ['negotiating-agents.mjs', NEGOTIATING, [], offers(100, 60, 93, 68, 86, 76, 'Agreed on buyer-76')],
  ['negotiating-agents.mjs', NEGOTIATING, ['70', '90'], offers(100, 60, 93, 68, 'No deal')],
] as const;
const program = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

describe('programs in the documentation', () => {
  it.each(PROGRAMS)('%s is exactly as %s shows it', (name, page) => {
    // The import that handles a missing gateway is not shown.
    const shown = read(program(name)).replace("import './needs-gateway.mjs';\n", '');
    expect(read(new URL(`../../../${page}`, import.meta.url))).toContain(shown.trim());
  });

  it.each(PROGRAMS)('%s works as %s says, in plain Node, with %j', async (name, _, args, prints) => {
    await using gateway = await startOnLoopback();
    const env = {
      ...process.env,
      PROFFER_URL: gateway.url,
      PROFFER_GRPC: gateway.target,
    };
    const line = [fileURLToPath(program(name)), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, line, { env });
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
