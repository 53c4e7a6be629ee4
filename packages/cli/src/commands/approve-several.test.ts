import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyGateway, startPolicyGateway } from '../testing/policy-gateway.js';

let free: PolicyGateway;
let policed: PolicyGateway;
beforeAll(async () => {
  [free, policed] = await Promise.all([startPolicyGateway('dev: true'), startPolicyGateway()]);
});
afterAll(async () => {
  await Promise.all([free[Symbol.asyncDispose](), policed[Symbol.asyncDispose]()]);
});

describe('approve with several ids', () => {
  it('O-35: shows all proposals first, runs each once, and reports an outcome for each', async () => {
    for (const id of ['one', 'two', 'gone']) await free.propose(id);
    await free.as('agent', 'withdraw', 'gone');
    const { code, stdout, stderr } = await free.as('reviewer', 'approve', 'one', 'gone', 'two', 'one');
    expect(stderr).toMatch(/── 1 of 3\necho .*proposal one[^]*── 3 of 3\necho .*proposal two/);
    expect(stdout).toContain('one  echo  done\n│ one\n');
    expect(stdout).toContain(
      'gone  ✗ Too late, nothing changed. "gone": agent withdrew this call. Nothing ran.\n',
    );
    expect(stdout).toContain('two  echo  done\n│ two\n');
    expect(code).toBe(1);
    expect(free.echoed).toEqual(['one', 'two']);
  });

  it('O-35: skips a proposal that was rejected since it was shown', async () => {
    for (const id of ['calm', 'doubted']) await free.propose(id);
    const approving = free.type('reviewer', ['approve', 'calm', 'doubted'], async () => {
      await free.as('reviewer', 'reject', 'doubted', '--reason', 'disagree');
      return 'y\n';
    });
    const { code, stdout } = await approving;
    expect(stdout).toContain('Run all 2? [y/N]');
    expect(stdout).toContain('calm  echo  done');
    expect(stdout).toContain('doubted  ✗ "doubted" has changed since it was shown: someone rejected it');
    expect(code).toBe(1);
    expect(free.echoed).not.toContain('doubted');
  });

  it('O-29, O-35: prints one JSON outcome per item, also if a policy requires more approvals', async () => {
    for (const id of ['x1', 'x2']) await policed.propose(id);
    await policed.as('bob', 'approve', 'x2');
    const { code, stdout } = await policed.as('ann', 'approve', 'x1', 'x2', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: [
        { proposal: 'x1', state: 'pending', approvals: { given: 1, needed: 2 }, exit: 0 },
        { proposal: 'x2', state: 'settled', outcome: { result: 'ok' }, exit: 0 },
      ],
    });
    expect(code).toBe(0);
  });

  it('sends nothing if an id is wrong or an option applies to only one of them', async () => {
    await free.propose('fine');
    const wrong = await free.as('reviewer', 'approve', 'fine', 'nosuch');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('nosuch') });
    const set = await free.as('reviewer', 'approve', 'fine', 'other', '--set', 'text=x');
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining('--set applies to one proposal') });
    expect(free.echoed).not.toContain('fine');
  });
});

describe('renew', () => {
  it("O-36: extends your own proposal and nobody else's", async () => {
    await free.propose('soon', '--ttl', '30s');
    const renewed = await free.as('agent', 'renew', 'soon', '--ttl', '10m');
    expect(renewed).toMatchObject({ code: 0, stdout: 'Renewed soon: it expires in 10m.\n' });
    expect((await free.as('reviewer', 'inbox')).stdout).toMatch(/soon .*in (10|9)m/);
    expect((await free.as('reviewer', 'renew', 'soon', '--ttl', '1h')).code).toBe(1);
    await free.as('agent', 'withdraw', 'soon');
    const late = await free.as('agent', 'renew', 'soon', '--ttl', '1h', '--exact');
    expect(late).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('agent withdrew this call. Nothing ran.'),
    });
  });
});
