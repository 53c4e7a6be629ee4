import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer } from '../../testing/cli.js';
import { machine } from '../../testing/guard-machine.js';
import { startOfficial } from '../../testing/official-client.js';

const RULES = `
default: ask
rules:
  - name: only reads
    action: allow
    match: { annotations: { readOnlyHint: true } }
  - name: nothing is moved
    action: deny
    match: { tool: move_file }
    reason: Ask me to move files.
`;

describe("decisions by a guard's rules", () => {
  it('are in the log, and rules explain says why', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    await writeFile(rules, RULES);
    await using official = await startOfficial(here.args('--rules', rules));
    const { client } = official;
    const read = { name: 'read_text_file', arguments: { path: rules } };
    await client.callTool(read);
    const paths = { source: rules, destination: `${rules}.old` };
    expect(await client.callTool({ name: 'move_file', arguments: paths })).toMatchObject({
      _meta: { 'proffer/outcome': { code: 'denied' } },
    });
    const log = async () => (await here.run('log', '--kind', 'chat.message')).stdout;
    await expect.poll(log).toContain('denies');
    const lines = (await log()).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/allows +\S+read_text_file path=… {2}\[only reads, line 4; rules [0-9a-f]{12}\]/),
      expect.stringMatching(
        /denies +\S+move_file .*\[nothing is moved, line 7; rules .*\] Ask me to move files\./,
      ),
    ]);
    const seq = /^\s*([\d.]+)/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    const explain = ['rules', 'explain', rules, '--seq', seq, '--guard'];
    const { stdout } = await proffer(explain, { env: { PROFFER_HOME: here.home } });
    expect(stdout).toMatch(/✓ Rule "nothing is moved" \(line 7\): deny/);
    expect(await here.run('rules', 'explain', rules, '--seq', '1')).toMatchObject({ code: 1 });
  });

  it('are numbered in the log if they share a seq, and rules explain accepts one of them', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    await writeFile(rules, RULES);
    await using official = await startOfficial(here.args('--rules', rules));
    const { client } = official;
    const move = { source: rules, destination: `${rules}.old` };
    await Promise.all([
      ...Array.from({ length: 5 }, () => client.callTool({ name: 'move_file', arguments: move })),
      ...['a', 'b', 'c'].map((name) =>
        client.callTool({ name: 'read_text_file', arguments: { path: join(here.files, name) } }),
      ),
    ]);
    const log = async () => (await here.run('log', '--kind', 'chat.message')).stdout;
    await expect.poll(async () => (await log()).trimEnd().split('\n')).toHaveLength(8);
    const shared = (await log()).split('\n').filter((line) => /^\d+\.2 /.test(line));
    const [number = ''] = shared.at(-1)?.split(' ') ?? [];
    const { stdout, code } = await here.run('rules', 'explain', rules, '--seq', number, '--json');
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [expect.stringContaining(`{"seq":"${number}"`)],
    ]);
    const none = await here.run('rules', 'explain', rules, '--seq', `${number}99`);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(`at seq ${number}99`) });
  });

  it('are recorded only for denials with --record denials', async () => {
    await using here = await machine();
    const rules = join(here.files, 'rules.yaml');
    await writeFile(rules, RULES);
    await using official = await startOfficial(here.args('--rules', rules, '--record', 'denials'));
    const { client } = official;
    await client.callTool({ name: 'read_text_file', arguments: { path: rules } });
    await client.callTool({ name: 'move_file', arguments: { source: rules, destination: `${rules}.old` } });
    const log = async () => (await here.run('log', '--kind', 'chat.message')).stdout;
    await expect.poll(log).toContain('denies');
    expect(await log()).not.toContain('allows');
  });
});
