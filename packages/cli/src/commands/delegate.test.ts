import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyGateway, startPolicyGateway } from '../testing/policy-gateway.js';

let gateway: PolicyGateway;
beforeAll(async () => {
  gateway = await startPolicyGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('delegate', () => {
  it('O-34: lets someone review in your place, visible to everyone, until you take it back', async () => {
    await gateway.propose('handed');
    const handed = await gateway.as('ann', 'delegate', 'boss', '--for', '8h', '--proposal', 'handed');
    expect(handed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('boss reviews handed in your place'),
    });
    expect((await gateway.as('bob', 'inbox')).stdout).toContain('boss may decide for ann until');
    const approved = await gateway.as('boss', 'approve', 'handed');
    expect(approved.stdout).toContain('1 of 2 approvals');
    const { stdout } = await gateway.as('bob', 'show', 'handed');
    expect(stdout).toMatch(/ann +delegated the review to boss/);
    expect(stdout).toMatch(/boss +approved this call for ann, 1 of 2/);
    const back = await gateway.as('ann', 'delegate', '--revoke', '--proposal', 'handed');
    expect(back.stdout).toContain('You review handed yourself again.');
    const logged = (await gateway.as('ann', 'log')).stdout;
    expect(logged).toMatch(/ann +delegates +handed to boss\n[^]*ann +takes back handed\n/);
  });

  it('O-34: covers all reviews, and reports what is missing on the command line', async () => {
    await gateway.propose('all');
    expect((await gateway.as('ann', 'delegate', 'boss', '--for', '1h')).stdout).toContain(
      'boss reviews everything in your place for',
    );
    expect((await gateway.as('boss', 'approve', 'all')).stdout).toContain('1 of 2 approvals');
    expect((await gateway.as('ann', 'delegate', '--revoke')).stdout).toContain('yourself again');
    expect((await gateway.as('ann', 'delegate', '--revoke')).stdout).toContain('Nothing changed');
    expect(await gateway.as('ann', 'delegate', 'boss')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('delegate NAME --for 8h'),
    });
    expect((await gateway.as('ann', 'delegate', 'ann', '--for', '1h')).stderr).toContain(
      'cannot delegate to itself',
    );
    const part = (name: string) => gateway.as(name, 'delegate', 'bob', '--for', '1h');
    expect((await part('reviewer')).stdout).toContain(
      'Nothing changes yet: no review policy in this space names you.',
    );
    // Later reviewers, and those asked for their role, have a part too.
    for (const name of ['boss', 'cleo']) expect((await part(name)).stdout).not.toContain('Nothing changes');
    for (const name of ['boss', 'cleo', 'reviewer']) await gateway.as(name, 'delegate', '--revoke');
  });

  it('O-34: lists without a name who decides for whom, in all reviews and in one', async () => {
    const list = async (...more: readonly string[]) => (await gateway.as('bob', 'delegate', ...more)).stdout;
    expect(await list()).toContain('No reviews are delegated.');
    await gateway.propose('listed');
    await gateway.as('ann', 'delegate', 'boss', '--for', '8h');
    await gateway.as('bob', 'delegate', 'boss', '--for', '1h', '--proposal', 'listed');
    const lines = (await list()).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^boss reviews everything in place of ann for (?:8h|7h 59m)/),
      expect.stringMatching(/^boss reviews listed in place of bob for (?:1h|59m)/),
    ]);
    expect(JSON.parse(await list('--json')).delegations).toHaveLength(2);
    await gateway.as('ann', 'delegate', '--revoke');
    await gateway.as('agent', 'withdraw', 'listed');
    expect(await list()).toContain('No reviews are delegated.');
  });

  it('O-28: shows in the inbox how many approvals are needed and from whom, before the first one', async () => {
    await gateway.propose('fresh');
    expect((await gateway.as('bob', 'inbox')).stdout).toContain(
      '0 of 2 approvals, waiting for ann, bob or anyone in finance',
    );
  });

  it('O-37: shows to everyone which proposals a dependent one waits for', async () => {
    await gateway.propose('step-1');
    await gateway.propose('step-2', '--depends-on', 'step-1');
    expect((await gateway.as('bob', 'inbox')).stdout).toContain('runs after step-1');
    await gateway.as('ann', 'approve', 'step-2');
    expect((await gateway.as('bob', 'approve', 'step-2')).stdout).toContain(
      'It runs when step-1 has succeeded.',
    );
    expect((await gateway.as('bob', 'show', 'step-2')).stdout).toContain('approved, waiting');
    await gateway.as('agent', 'withdraw', 'step-1');
    const shown = await gateway.as('bob', 'show', 'step-2');
    expect(shown.stdout).toContain('This call depends on step-1, which was withdrawn.');
  });
});
