import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PolicyGateway, startPolicyGateway } from '../testing/policy-gateway.js';

let gateway: PolicyGateway;
beforeAll(async () => {
  gateway = await startPolicyGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

it('stops all approvals of a space and says how to resume', async () => {
  await gateway.propose('p1');
  const paused = await gateway.as('ann', 'pause', '--reason', 'incident 12');
  expect(paused).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Paused all approvals in .*resume/s),
  });
  const listed = (await gateway.as('bob', 'inbox')).stdout;
  expect(listed).toMatch(/^! ann paused all approvals: incident 12\n {2}\S+ resume .*# to go on\n\n[^]*p1/);
  for (const line of [
    ['bob', 'show', 'p1'],
    ['agent', 'propose', 'echo', '--arg', 'text=p2', '--id', 'p2', '--no-wait'],
  ] as const) {
    const [name, ...command] = line;
    expect((await gateway.as(name, ...command)).stderr).toMatch(
      /^! ann paused all approvals: incident 12\n.* resume /m,
    );
  }
  const refused = await gateway.as('bob', 'approve', 'p1');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/ann paused all approvals in main: incident 12\.[^]*→ \S+ resume/),
  ]);
  expect((await gateway.as('ann', 'resume')).stdout).toContain('Resumed approvals in main.');
  expect((await gateway.as('bob', 'approve', 'p1')).code).toBe(0);
  const logged = (await gateway.as('ann', 'log')).stdout;
  expect(logged).toMatch(/ann +pauses +all approvals {2}“incident 12”\n[^]*ann +resumes +approvals\n/);
});
