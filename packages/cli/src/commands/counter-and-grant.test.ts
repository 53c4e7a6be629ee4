import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyGateway, startPolicyGateway } from '../testing/policy-gateway.js';

let gateway: PolicyGateway;
beforeAll(async () => {
  gateway = await startPolicyGateway('dev: true');
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('counter-offers', () => {
  it('O-40: a reviewer offers other arguments, everyone sees the conversation, the proposer accepts', async () => {
    await gateway.propose('loud');
    const offered = await gateway.as(
      'reviewer',
      'counter',
      'loud',
      '--set',
      'text=softly',
      '-r',
      'people sleep',
    );
    expect(offered).toMatchObject({ code: 0 });
    expect(offered.stdout).toContain('Made agent a counter-offer for loud:');
    expect(offered.stdout).toContain('+ "softly"');
    expect((await gateway.as('reviewer', 'inbox')).stdout).toContain('reviewer made a counter-offer');
    const shown = await gateway.as('reviewer', 'show', 'loud');
    expect(shown.stdout).toMatch(/reviewer +made a counter-offer {2}“people sleep”\n +\/arguments\/text\n/);
    expect(shown.stderr).toMatch(/to approve: +\S.* approve loud/);
    expect(shown.stderr).toMatch(/to accept the offer: +\S.* accept loud .*# as agent/);
    expect((await gateway.as('reviewer', 'log')).stdout).toMatch(/reviewer +offers +loud +“people sleep”/);
    const refused = await gateway.as('reviewer', 'accept', 'loud');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was proposed by "agent"') });
    const accepted = await gateway.as('agent', 'accept', 'loud');
    expect(accepted.stderr).toContain('reviewer offers: people sleep');
    expect(accepted.stderr).toContain('Accepted the counter-offer by reviewer.');
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('softly') });
    expect(gateway.echoed).toContain('softly');
    const over = await gateway.as('reviewer', 'show', 'loud');
    expect(over.stdout).toMatch(/agent +accepted the counter-offer of reviewer\n/);
    expect(over.stderr).toBe('');
  });

  it('O-17: says what can be done about a rejected proposal that is still pending', async () => {
    await gateway.propose('disputed');
    await gateway.as('reviewer', 'reject', 'disputed', '-r', 'why');
    const { stderr } = await gateway.as('reviewer', 'show', 'disputed');
    expect(stderr).toContain('reviewer rejected this call. It stays pending unless');
    expect(stderr).toMatch(/withdraw disputed .*# as agent/);
  });

  it('O-37: shows what a pending proposal depends on', async () => {
    await gateway.propose('base');
    await gateway.propose('next', '--depends-on', 'base');
    expect((await gateway.as('reviewer', 'show', 'next')).stdout).toContain('runs after base');
  });

  it('O-40: reports what is missing', async () => {
    await gateway.propose('plain');
    expect(await gateway.as('reviewer', 'counter', 'plain', '-r', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give a change that you would approve'),
    });
    expect(await gateway.as('reviewer', 'counter', 'plain', '--set', 'text=plain', '-r', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing would change'),
    });
    const slip = await gateway.as('reviewer', 'counter', 'plain', '--set', 'texxt=softly', '-r', 'x');
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain('The call has no argument "texxt", and the tool does not declare one.');
    expect(slip.stderr).toContain('--set text=softly   # did you mean this?');
    const long = 'x'.repeat(2_000);
    expect((await gateway.as('reviewer', 'counter', 'plain', '--set', 'text=a', '-r', long)).stderr).toMatch(
      /--reason is "x+…/,
    );
    expect(await gateway.as('agent', 'accept', 'plain')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plain has no counter-offer that is open.'),
    });
  });
});

describe('grants', () => {
  it('O-41: grants, lists and revokes', async () => {
    const granted = await gateway.as(
      'reviewer',
      'grant',
      'agent',
      '--tool',
      'echo',
      '--for',
      '1h',
      '--uses',
      '5',
    );
    expect(granted.stdout).toContain('agent may run echo without asking: up to 5 times in the next hour.');
    const [, id = ''] = /revoke (\S+) --as reviewer\n/.exec(granted.stdout) ?? [];
    expect((await gateway.as('reviewer', 'revoke', '')).stderr).toContain('The id of the grant is empty.');
    expect((await gateway.as('reviewer', 'revoke', 'nothing')).stderr).toMatch(/→ \S+ grant .*# lists/);
    const listed = (await gateway.as('reviewer', 'grant')).stdout;
    expect(listed).toContain(`${id}  agent may run echo without asking: up to 5 times in the next `);
    expect(listed).toContain('(granted by reviewer)');
    // A unique prefix of the id is enough.
    expect((await gateway.as('reviewer', 'revoke', id.slice(0, 12))).stdout).toBe(`Revoked ${id}.\n`);
    expect((await gateway.as('reviewer', 'grant')).stdout).toBe('Nothing is granted.\n');
    const unserved = await gateway.as(
      'reviewer',
      'grant',
      'agent',
      '--tool',
      'ecco',
      '--tool',
      'e*',
      '--uses',
      '1',
    );
    expect(unserved.stderr).toMatch(/nobody in main serves ecco right now[^]*Did you mean echo\?/);
    expect(unserved.stderr).not.toContain('e*');
    expect(await gateway.as('agent', 'grant', 'tools', '--tool', 'echo')).toMatchObject({ code: 1 });
    expect(await gateway.as('reviewer', 'grant', 'agent')).toMatchObject({ code: 2 });
  });
});
