import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';
import { startPolicyGateway, TWO_APPROVALS } from '../testing/policy-gateway.js';

async function configured(yaml = TWO_APPROVALS) {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'proffer.yaml');
  await writeFile(file, yaml);
  return {
    explain: (...line: readonly string[]) => runHere(['policy', 'explain', ...line, '--config', file]),
    file,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('policy', () => {
  it('O-28: explain names the entry that matches a call and what it requires', async () => {
    await using policy = await configured();
    const { code, stdout } = await policy.explain('{"name":"echo","arguments":{"text":"hi"}}');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'echoes applies to this call.',
      '  This call needs 2 approvals from ann, bob or anyone in finance, but never from its proposer.',
      '  One rejection by any of them ends the call.',
      '  After 10m without a decision, boss may also approve it.',
      '  Nobody may make the call without a proposal.',
      '',
    ]);
    expect((await policy.explain('echo', '--args', '{"text":"hi"}')).stdout).toBe(stdout);
    const json = await policy.explain('--tool', 'echo', '--args', '{}', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ space: 'main', entry: { name: 'echoes', approvals: 2 } });
  });

  it.each([
    [
      'an entry',
      'review: [{ name: payments, call: "mcp.request.tools/call:pay", from: [finance], signed: true }]',
    ],
    [
      'the space',
      'signed: true, review: [{ name: payments, call: "mcp.request.tools/call:pay", from: [finance] }]',
    ],
  ])('O-49: explain says that %s demands signed approvals', async (where, settings) => {
    await using policy = await configured(`dev: true\nspaces: { main: { ${settings} } }\n`);
    const { stdout } = await policy.explain('pay');
    expect(stdout).toContain('needs 1 signed approval from finance,');
    expect(stdout).toContain('Nobody may make the call without a proposal.');
    const other = await policy.explain('read');
    expect(other.stdout).toContain(`One ${where === 'the space' ? 'signed ' : ''}approval by anyone`);
  });

  it('O-28: explain says that no entry matches', async () => {
    await using policy = await configured();
    const { code, stdout } = await policy.explain('--tool', 'add', '--as', 'cleo');
    expect(code).toBe(0);
    expect(stdout).toContain('No entry in the policy of main matches this call by cleo.');
  });

  it.each([
    ['no call', [], 'Say which call'],
    ['two calls', ['{"name":"a"}', '--tool', 'b'], 'Say which call'],
    ['no tool', ['{}'], 'CALL names no tool'],
    ['an unknown space', ['{"name":"a"}', '--space', 'nowhere'], 'no space "nowhere"'],
  ])('O-28: explain rejects %s and shows the right usage', async (_, line, message) => {
    await using policy = await configured();
    expect(await policy.explain(...line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('O-28: explain needs a configuration, and says how to name it', async () => {
    const { code, stderr } = await runHere(['policy', 'explain', '--tool', 'echo']);
    expect(code).toBe(2);
    expect(stderr).toContain('--config FILE');
  });

  it('O-28: test reports what ran that the policy would have stopped', async () => {
    await using policy = await configured();
    await using gateway = await startPolicyGateway('dev: true');
    for (const id of ['ran', 'open']) await gateway.propose(id);
    await gateway.as('reviewer', 'approve', 'ran');
    const { code, stdout } = await gateway.as('reviewer', 'policy', 'test', '--config', policy.file);
    expect(stdout).toMatch(/1 {2}would have ended the same way\n +1 {2}ran, but would not have/);
    expect(stdout).toContain('ran  echo  echoes: 0 of 2 approvals');
    expect(code).toBe(1);
    await using strict = await startPolicyGateway();
    await strict.propose('both');
    for (const name of ['ann', 'bob']) await strict.as(name, 'approve', 'both');
    const same = await strict.as('reviewer', 'policy', 'test', '--config', policy.file, '--json');
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout)).toMatchObject({ counts: { same: 1 }, different: [] });
  });
});
