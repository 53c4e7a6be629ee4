import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyGateway, startPolicyGateway } from '../testing/policy-gateway.js';

let gateway: PolicyGateway;
beforeAll(async () => {
  gateway = await startPolicyGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('approvals counted by a policy', () => {
  it('O-28, O-29: approve shows the count and who is missing, and the last approver gets the result', async () => {
    await gateway.propose('both');
    const first = await gateway.as('ann', 'approve', 'both');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('Approved both.') });
    expect(first.stdout).toBe(
      '1 of 2 approvals, waiting for bob or anyone in finance. The call runs once enough people have approved it.\n',
    );
    const so = '1 of 2 approvals, waiting for bob or anyone in finance';
    expect((await gateway.as('bob', 'inbox')).stdout).toContain(`${so} (approved by ann)`);
    const shown = (await gateway.as('bob', 'show', 'both')).stdout;
    expect(shown).toMatch(/ann +approved this call, 1 of 2/);
    expect(shown).toContain(so);
    expect((await gateway.as('bob', 'log')).stdout).toContain(`both  ${so}`);
    const last = await gateway.as('cleo', 'approve', 'both');
    expect(last.stderr).toContain(`so far    ${so} (approved by ann)`);
    expect(last).toMatchObject({ code: 0, stdout: expect.stringMatching(/both {2}echo {2}done\n│ both/) });
    expect(gateway.echoed).toEqual(['both']);
  });

  it('O-29: prints the same as JSON, and refuses a second approval by one person', async () => {
    await gateway.propose('json');
    const { code, stdout } = await gateway.as('ann', 'approve', 'json', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'accepted',
      proposal: 'json',
      state: 'pending',
      approvals: { given: 1, needed: 2, missing: ['bob', 'role:finance'] },
    });
    const again = await gateway.as('ann', 'approve', 'json');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has approved "json" already') });
  });

  it('O-29: takes an approval back without a veto, and the second reviewer sees what was approved', async () => {
    await gateway.propose('back');
    await gateway.as('ann', 'approve', 'back', '--set', 'text=other');
    expect((await gateway.as('bob', 'show', 'back')).stdout).toContain(
      'ann approved different arguments (text: "other")',
    );
    const taken = await gateway.as('ann', 'approve', 'back', '--take-back');
    expect(taken.stdout).toBe('You took back your approval of back. This call stays pending.\n');
    const shown = (await gateway.as('bob', 'show', 'back')).stdout;
    expect(shown).toMatch(/^back {2}pending\n[^]*ann +took back the approval\n[^]*0 of 2 approvals/);
    expect((await gateway.as('bob', 'approve', 'back', '--take-back')).stderr).toContain(
      'nothing to take back',
    );
  });

  it('O-31, O-45: reports a veto as a veto', async () => {
    await gateway.propose('no');
    const rejected = await gateway.as('bob', 'reject', 'no', '--reason', 'unsafe');
    expect(rejected.stdout).toContain('a single rejection declines it');
    expect(rejected.stdout).not.toMatch(/pending|others/i);
    expect((await gateway.as('ann', 'show', 'no')).stdout).toContain(
      'bob rejected this call: “Unsafe”. Under the policy echoes, a single rejection declines it.',
    );
  });

  it('O-33: says whom it was escalated to', async () => {
    await gateway.propose('late');
    gateway.pass(600_000);
    // Reading triggers what is due.
    await gateway.as('bob', 'reject', 'late', '--reason', 'busy');
    const { stdout } = await gateway.as('boss', 'inbox', '--json');
    expect(stdout).toContain('"escalatedTo":["boss"]');
    expect((await gateway.as('boss', 'inbox')).stdout).toContain('escalated to boss');
  });
});
