import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { expect, it } from 'vitest';
import { runHere } from '../testing/in-process.js';

it('O-26: shows who is behind a proposal in its row, card, timeline and JSON', async () => {
  await using gateway = await startOnLoopback();
  const url = `http://127.0.0.1:${gateway.port}`;
  await using files = await connect({ url, space: 'main', token: 'files' });
  const origin = { client: 'claude-code', version: '2.1', user: 'alice', folder: '/srv/app' };
  const params = { name: 'echo', arguments: { text: 'hi' } };
  const proposed = files.propose('tools/call', params, { id: 'p1', origin });
  proposed.catch(() => {});
  await proposed.accepted;
  const run = (...args: readonly string[]) => runHere([...args, '--url', url, '--as', 'reviewer']);
  const who = 'files for claude-code 2.1 (alice)';
  expect((await run('inbox')).stdout).toContain(who);
  expect(JSON.parse((await run('inbox', '--json')).stdout)).toMatchObject({ proposals: [{ origin }] });
  const shown = await run('show', 'p1');
  expect(shown.stdout).toContain(`${who} in /srv/app proposed echo`);
  expect(JSON.parse((await run('show', 'p1', '--json')).stdout)).toMatchObject({ proposal: { origin } });
  const approved = await run('approve', 'p1');
  expect(approved.stderr).toContain(`asked by  ${who} in /srv/app`);
  expect((await run('inbox', '--all')).stdout).toContain(who);
});
