import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnection } from '../connection/connection.js';
import { temporaryFolder } from '../testing/cli.js';
import { type DevGateway, startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

const RULES = `
rules:
  - { name: never, action: deny, match: { tool: forget } }
  - { name: drafts are free, action: allow, match: { tool: write, arguments: { path: "/drafts/*" } } }
  - { name: notes, action: allow, match: { tool: note } }
`;

let gateway: DevGateway;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file = '';
let seq = 0;

beforeAll(async () => {
  gateway = await startDevGateway();
  folder = await temporaryFolder();
  file = join(folder.path, 'rules.yaml');
  await writeFile(file, RULES);
  const { url } = gateway;
  const agent = createConnection(
    { url, space: 'main', token: 'agent', assumed: false, given: {} },
    'proffer',
  );
  const allowed = { action: 'allow', argumentNames: ['path'], version: '1', server: 'agent' };
  const decisions = [
    { ...allowed, tool: 'write' },
    { ...allowed, tool: 'note' },
  ];
  const text = 'decided';
  ({ seq = 0 } = await agent.send({ kind: 'chat.message', payload: { text, decisions } }));
  const payload = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } };
  await agent.send({ id: "it's-one", kind: 'mcp.proposal.tools/call:echo', payload });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('rules explain --seq', () => {
  const explain = (...args: readonly string[]) => gateway.run('rules', 'explain', file, ...args);

  it('does not judge conditions on arguments that were not recorded, and says so', async () => {
    const open = await explain('--seq', `${seq}.1`);
    expect(open.stdout).toMatch(/\? Rule "drafts are free" \(line 4\): allow\n +unknown:/);
    expect(open.stdout).toMatch(/\nunknown {2}What these rules say depends on the arguments.* --args/);
    expect(open.stdout).not.toContain('No rule matches');
    const json = JSON.parse((await explain('--seq', `${seq}.1`, '--json')).stdout) as object;
    expect(json).toMatchObject({ decision: null, undecided: [1] });
    const given = await explain('--seq', `${seq}.1`, '--args', '{"path":"/drafts/a"}');
    expect(given.stdout).toMatch(/\nallow {2}/);
  });

  it('reports what does not depend on them', async () => {
    const { stdout, stderr } = await explain('--seq', `${seq}.2`);
    // The tool alone decides whether the rule before it matches.
    expect(stdout).toMatch(/· Rule "drafts are free" \(line 4\): allow\n +no: tool/);
    expect(stdout).toMatch(/\nallow {2}.*notes/);
    expect(stderr).toBe('');
  });

  it('points from a message without a decision to the proposal and the log, in the same place', async () => {
    const { code, stderr } = await explain('--seq', String(seq + 1), '--url', gateway.url);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `→ proffer rules explain ${file} --proposal 'it'\\''s-one' --url ${gateway.url} `,
    );
    expect(stderr).toContain(`→ proffer log --kind chat.message --url ${gateway.url} `);
    const offline = ['rules', 'explain', file, '--seq', '999', '--data', gateway.data];
    expect((await runHere(offline)).stderr).toContain(
      `→ proffer log --kind chat.message --data ${gateway.data} `,
    );
  });

  it('test names the history it read, and says when there is none', async () => {
    const test = await gateway.run('rules', 'test', file);
    expect(test.stdout).toMatch(/^1 proposal from the history of main at http:\S+, rules /);
    const offline = await runHere(['rules', 'test', file, '--data', gateway.data]);
    expect(offline.stdout).toContain(`1 proposal from the history of all spaces in ${gateway.data}, rules `);
    const none = await runHere(['rules', 'explain', file, '--proposal', 'zz', '--data', gateway.data]);
    expect(none.stderr).toContain(`→ proffer inbox --all --data ${gateway.data} `);
  });
});
