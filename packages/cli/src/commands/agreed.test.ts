import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { type PolicyGateway, startPolicyGateway, TWO_APPROVALS } from '../testing/policy-gateway.js';

const BY_SESSION = TWO_APPROVALS.replace(
  'from: [ann, bob, role:finance]',
  'from: [ann, bob, cleo]\n        by: {}',
);

/** Runs a command that has to succeed. */
async function ok(gateway: PolicyGateway, name: string, ...line: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await gateway.as(name, ...line);
  expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
  return stdout;
}

const sessionIn = (text: string): string => /[0-9a-f-]{36}/.exec(text)?.[0] ?? '';

it('O-53: a quorum about a proposal is one command, and its commitment runs the call', async () => {
  await using gateway = await startPolicyGateway(BY_SESSION);
  await gateway.propose('p1');
  const refused = await gateway.as('ann', 'approve', 'p1');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('approved in a session') });
  const started = await ok(gateway, 'boss', 'negotiate', 'review', 'p1', '-p', 'ann', '-p', 'bob');
  const session = sessionIn(started);
  expect(started).toContain(`negotiate commit ${session} --call r1`);
  const asked = await ok(gateway, 'ann', 'negotiate', 'show', session);
  expect(asked).toMatch(/▶ If accepted: the call of the proposal p1 in the space main\n +digest {2}sha256:/);
  for (const name of ['ann', 'bob'])
    await ok(gateway, name, 'negotiate', 'send', session, 'Approve', 'request_id=r1');
  const ready = await ok(gateway, 'boss', 'negotiate', 'show', session);
  expect(ready).toContain(`negotiate commit ${session} --call r1 --action … --reason …`);
  const commit = ['negotiate', 'commit', session, '--call', 'r1', '--action', 'review', '--reason', 'both'];
  await ok(gateway, 'boss', ...commit);
  await expect.poll(() => gateway.echoed).toEqual(['p1']);
  const shown = await ok(gateway, 'ann', 'show', 'p1');
  expect(shown).toContain(`boss committed the session ${session} about this call with a positive outcome.`);
  expect(shown).toMatch(/ann +approved this call in the session/);
});

it('O-53: an offer carries a call, and committing it needs to name one that is there', async () => {
  await using gateway = await startPolicyGateway(BY_SESSION);
  await using folder = await temporaryFolder();
  const details = join(folder.path, 'call.json');
  const params = { name: 'echo', arguments: { text: 'agreed' } };
  const call = { space: 'main', method: 'tools/call', params };
  await writeFile(details, JSON.stringify({ 'proffer/call': call }));
  const people = ['boss', 'ann', 'bob'];
  const start = ['negotiate', 'start', 'say it', ...people.flatMap((name) => ['-p', name])];
  const session = sessionIn(await ok(gateway, 'boss', ...start));
  await ok(gateway, 'boss', 'negotiate', 'propose', session, 'o1', 'Say it', '--details', `@${details}`);
  for (const name of people) await ok(gateway, name, 'negotiate', 'accept', session, 'o1');
  const ready = await ok(gateway, 'boss', 'negotiate', 'show', session);
  expect(ready).toContain(`negotiate commit ${session} --call o1 --action … --reason …`);
  const commit = ['negotiate', 'commit', session, '--action', 'agreed', '--reason', 'all'];
  expect((await gateway.as('boss', ...commit, '--call', 'o2')).stderr).toContain('"o2" has no call');
  expect((await gateway.as('boss', ...commit)).stderr).toContain('--scope or --call');
  await ok(gateway, 'boss', ...commit, '--call', 'o1');
  await expect.poll(() => gateway.echoed).toEqual(['agreed']);
});

it('N-32: shows an attached call in full, with what hides in it, before anybody accepts it', async () => {
  await using gateway = await startPolicyGateway(BY_SESSION);
  const start = ['negotiate', 'start', 'pay', '-p', 'boss', '-p', 'ann'];
  const session = sessionIn(await ok(gateway, 'boss', ...start));
  const params = { name: 'pay', arguments: { amount: 9000, to: 'mal\u202Elory', note: 'one\ntwo' } };
  const call = { space: 'main', method: 'tools/call', params, executor: 'bank' };
  const offer = async (id: string, attached: object): Promise<void> => {
    const details = JSON.stringify({ 'proffer/call': attached });
    const propose = [
      'negotiate',
      'propose',
      session,
      id,
      'Pay',
      '--summary',
      'only 10',
      '--details',
      details,
    ];
    await ok(gateway, 'boss', ...propose);
  };
  await offer('o1', call);
  await offer('o2', { ...call, secretly: true });
  const shown = await ok(gateway, 'ann', 'negotiate', 'show', session);
  expect(shown).toContain(
    [
      '     │ only 10',
      '     ▶ If accepted: pay  (tools/call in the space main, on bank)',
      '         amount  9000',
      '         note  ',
      '           │ one',
      '           │ two',
      String.raw`         to      "mal\u{202e}lory"`,
    ].join('\n'),
  );
  expect(shown).toContain('▶ carries a call that cannot be read: "proffer/call.secretly"');
});
