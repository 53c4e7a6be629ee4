import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
/** All of them, and those that need more than a gateway to run. */
const SHOWN: readonly (readonly [name: string, page: string])[] = [
  ...PROGRAMS.map(([name, page]) => [name, page] as const),
  ['negotiating-model.mjs', NEGOTIATING],
  ['python/decide.py', NEGOTIATING],
];
const program = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

describe('programs in the documentation', () => {
  it.each(SHOWN)('%s is exactly as %s shows it', (name, page) => {
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

  it('a buyer with a model keeps its limit, whatever the model says', async () => {
    // Accepts everything, as a model may that was talked into it.
    const answer = { choices: [{ message: { content: '{"answer":"accept"}' } }] };
    const model = createServer((_, response) => response.end(JSON.stringify(answer)));
    await new Promise<void>((resolve) => void model.listen(0, '127.0.0.1', resolve));
    await using gateway = await startOnLoopback();
    const { port } = model.address() as AddressInfo;
    const env = { ...process.env, PROFFER_GRPC: gateway.target, MODEL_URL: `http://127.0.0.1:${port}` };
    const line = [fileURLToPath(program('negotiating-model.mjs'))];
    const { stdout } = await promisify(execFile)(process.execPath, line, { env });
    model.close();
    expect(stdout).toBe('seller offers 100\nNo deal\n');
  });
});
