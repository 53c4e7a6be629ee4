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
    for (const id of ['one', 'two', 'gone']) await free.propose(id, '--reason', `I need ${id}`);
    await free.as('agent', 'withdraw', 'gone');
    const { code, stdout, stderr } = await free.as('reviewer', 'approve', 'one', 'gone', 'two', 'one');
    expect(stderr).toMatch(/── 1 of 3\necho .*proposal one[^]*── 3 of 3\necho .*proposal two/);
    expect(stderr).toMatch(
      /proposal one[^]*because {3}“I need one”[^]*proposal two[^]*because {3}“I need two”/,
    );
    expect(stdout).toContain('one  echo  done\n│ one\n');
    expect(stdout).toContain(
      'gone  ✗ Too late: nothing was changed. "gone": agent withdrew this call. Nothing ran.\n',
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
    expect(stdout).toContain('Approve and run all 2? [y/N]');
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

  it('O-35: reports a wrong id and approves the others', async () => {
    await free.propose('fine');
    const { code, stdout } = await free.as('reviewer', 'approve', 'nosuch', 'fine');
    expect(stdout).toMatch(/^nosuch {2}✗ .*nosuch[^]*fine {2}echo {2}done\n│ fine\n$/);
    expect(code).toBe(1);
    expect(free.echoed).toContain('fine');
  });

  it('sends nothing if an option applies to only one of them', async () => {
    await free.propose('single');
    const set = await free.as('reviewer', 'approve', 'single', 'other', '--set', 'text=x');
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining('--set applies to one proposal') });
    expect(free.echoed).not.toContain('single');
  });
});

describe('withdraw, reject and status with several ids', () => {
  it('O-35: report an outcome for each: an unknown, a foreign and a finished one stop nothing', async () => {
    for (const id of ['w1', 'w2', 'over']) await free.propose(id);
    await free.as('reviewer', 'propose', 'echo', '--arg', 'text=x', '--id', 'theirs', '--no-wait');
    await free.as('agent', 'withdraw', 'over');
    const { code, stdout } = await free.as('agent', 'withdraw', 'w1', 'nosuch', 'theirs', 'over', 'w2', 'w1');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      'w1  withdrawn',
      expect.stringMatching(/^nosuch {2}✗ .*nosuch/),
      expect.stringMatching(/^theirs {2}✗ .*proposed by "reviewer"/),
      expect.stringMatching(/^over {2}✗ Too late: nothing was changed/),
      'w2  withdrawn',
    ]);
    expect(code).toBe(1);
  });

  it('O-35: print one JSON outcome per item', async () => {
    for (const id of ['j1', 'j2']) await free.propose(id);
    const reported = await free.as('reviewer', 'status', 'considering', 'j1', 'nosuch', 'j2', '--json');
    expect(JSON.parse(reported.stdout)).toMatchObject({
      outcomes: [
        { proposal: 'j1', seq: expect.any(Number), exit: 0 },
        { proposal: 'nosuch', error: { code: 'unknown_proposal' }, exit: 1 },
        { proposal: 'j2', seq: expect.any(Number), exit: 0 },
      ],
    });
    expect(reported.code).toBe(1);
    const rejected = await free.as('reviewer', 'reject', 'j1', 'j2', '--reason', 'busy', '--json');
    expect(JSON.parse(rejected.stdout)).toMatchObject({ outcomes: [{ proposal: 'j1' }, { proposal: 'j2' }] });
    expect(rejected.code).toBe(0);
    const { stdout } = await free.as('reviewer', 'status', 'queued', 'j1');
    expect(stdout).toBe('j1  queued\n');
    const none = await free.as('reviewer', 'withdraw', 'j1', 'j2', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({
      outcomes: [{ error: { code: 'not_proposer' } }, { error: { code: 'not_proposer' } }],
    });
    expect(none.code).toBe(1);
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
