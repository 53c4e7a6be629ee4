import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { expect, it, onTestFinished } from 'vitest';
import { runHere } from '../testing/in-process.js';

const NEW = '! other would run this tool for the first time. tools served it before.';

/** A gateway where `tools` served `echo`, and now `other` does. */
async function replaced() {
  const { gateway, port } = await startOnLoopback('dev: true');
  onTestFinished(() => gateway.close());
  const url = `http://127.0.0.1:${port}`;
  const env = { PROFFER_URL: url };
  const serve = async (token: string) => {
    const participant = await connect({ url, token, space: 'main' });
    onTestFinished(() => participant.close());
    return await participant.serve([
      { name: 'echo', handler: ({ text }) => `${token} ${JSON.stringify(text)}` },
    ]);
  };
  const serving = await serve('tools');
  await serve('other');
  await serving.stop();
  const as = (name: string, ...line: readonly string[]) => runHere([...line, '--as', name], env);
  return {
    as,
    propose: (id: string) => as('agent', 'propose', 'echo', '--arg', `text=${id}`, '--id', id, '--no-wait'),
    typing: (types: string, ...line: readonly string[]) =>
      runHere([...line, '--as', 'reviewer'], env, { types }),
  };
}

it('O-26: a script must name somebody new, and the error says how', async () => {
  const { as, propose } = await replaced();
  await propose('one');
  for (const more of [[], ['--yes'], ['--json']]) {
    const { code, stdout, stderr } = await as('reviewer', 'approve', 'one', ...more);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toMatch(
      /new_executor|other. would run .one. for the first time; .tools. served/,
    );
  }
  const refused = await as('reviewer', 'approve', 'one');
  expect(refused.stderr).toContain(NEW);
  expect(refused.stderr).toContain('proffer approve one --as reviewer --to other');
  const named = await as('reviewer', 'approve', 'one', '--to', 'other');
  expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('other "one"') });
  const { stdout } = await as('reviewer', 'log');
  expect(stdout).toContain('reviewer let other run echo, which tools served before.');
  // It is known from now on.
  await propose('two');
  const again = await as('reviewer', 'approve', 'two');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('other "two"') });
  expect(again.stderr).not.toContain('first time');
});

it('O-26: a person at a terminal sees that somebody new would run a call, and decides', async () => {
  const { propose, typing } = await replaced();
  await propose('one');
  expect(await typing('n\n', 'approve', 'one')).toMatchObject({ code: 1 });
  const { code, stderr, stdout } = await typing('y\n', 'approve', 'one');
  expect(stderr).toContain(NEW);
  expect([code, stdout]).toEqual([0, expect.stringContaining('other "one"')]);
});

it('O-26, O-35: several at once let nobody new in', async () => {
  const { as, propose } = await replaced();
  for (const id of ['one', 'two']) await propose(id);
  const { code, stdout } = await as('reviewer', 'approve', 'one', 'two');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /one {2}✗ "other" would run "one" for the first time; "tools" served this tool before/,
  );
});
