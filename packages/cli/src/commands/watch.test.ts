import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { watchingSince } from '@proffer/client/machine';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let guards: string;
const run = (...args: readonly string[]) => runHere(['watch', '--data', guards, ...args]);

const asked = (command: string) => ({
  would: 'ask',
  tool: 'claude-code/Bash',
  server: 'claude-code',
  arguments: { command },
  open: [{ server: 'claude-code', tool: 'Bash', command }],
  at: new Date().toISOString(),
});

beforeAll(async () => {
  folder = await temporaryFolder();
  guards = join(folder.path, 'guard');
  await mkdir(guards);
});
afterAll(() => folder[Symbol.asyncDispose]());

describe('proffer watch', () => {
  it('says that people are asked where nothing is watched, and begins on request', async () => {
    expect((await run()).stdout).toContain('people are asked');
    const begun = await run('--begin');
    expect(begun.stdout).toContain('Nobody is asked, and nothing is held or denied');
    expect(watchingSince(guards)).toBeDefined();
    expect((await run('--begin')).stdout).toContain('already in watch mode');
    expect((await run()).stdout).toContain('Nothing has been seen yet.');
    expect((await run('--begin', '--end')).code).toBe(2);
  });

  it('O-50: says what would have been asked and which rules would answer, and then asks with these rules', async () => {
    const journal = join(guards, 'journal');
    const { gateway, port } = await startOnLoopback('dev: true', { folder: journal });
    const agent = await connect({ url: `http://127.0.0.1:${port}`, space: 'main', token: 'claude-code' });
    const observed = ['npm test', 'npm test', 'npm test', 'rm -rf build'].map(asked);
    await agent.send({ kind: 'chat.message', to: ['claude-code'], payload: { text: '', observed } });
    await agent.close();
    // While a gateway has the journal open, too.
    expect((await run()).stdout).toContain(
      '4 calls, 4 would have been asked about. 1 rule would answer 3 of them.',
    );
    await gateway.close();
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject({
      watching: true,
      asked: 4,
      suggested: [{ rule: { action: 'allow', match: { command: 'npm test' } }, answers: 3 }],
    });
    const declined = await runHere(['watch', '--data', guards, '--end'], {}, { types: 'n\n' });
    expect(declined).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\+ +command: npm test$/m) });
    expect([watchingSince(guards) === undefined, existsSync(join(guards, 'rules.yaml'))]).toEqual([
      false,
      false,
    ]);

    const ended = await run('--end', '--yes');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('People are asked from now on') });
    expect(watchingSince(guards)).toBeUndefined();
    // The new file does what the default rules did, and more.
    const text = readFileSync(join(guards, 'rules.yaml'), 'utf8');
    expect(text).toMatch(/default: ask[^]*secrets[^]*only reads[^]*npm test/);
    expect((await run()).stdout).toContain('people are asked');
    expect((await run('--end')).stdout).not.toContain('Rules to add');
    expect(readFileSync(join(guards, 'rules.yaml'), 'utf8')).toBe(text);
  });

  it('does not count a file that says nothing: in doubt, people are asked', async () => {
    writeFileSync(join(guards, 'watching.json'), '{}');
    expect((await run()).stdout).toContain('people are asked');
  });
});
