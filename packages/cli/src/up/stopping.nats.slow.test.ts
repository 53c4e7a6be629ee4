import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { natsSettings, startNatsServers } from '@proffer/journal/testing';
import { expect, it } from 'vitest';
import { start, temporaryFolder } from '../testing/cli.js';

it('I-1: SIGTERM ends the process while NATS is away and messages are in flight', async () => {
  await using servers = await startNatsServers();
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'proffer.yaml');
  const nats = natsSettings(servers.urls);
  const lines = ['dev: true', `journal: { backend: nats, nats: ${nats} }`, 'shutdown: { timeout: 1s }'];
  await writeFile(file, lines.join('\n'));
  const up = start(['up', '-c', file, '--port', '0']);
  const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
  const agent = await connect({ url, token: 'agent', space: 'main' });
  servers.servers[0]?.signal('SIGSTOP');
  const sent = agent.propose('tools/call', { name: 'echo', arguments: { text: 'hello' } }, { id: 'p1' });
  sent.catch(() => {});
  sent.accepted.catch(() => {});
  // Answered by the gateway when it has taken the proposal.
  await agent.withdraw('nothing');
  up.child.kill('SIGTERM');
  const { code, stderr } = await up.ended;
  await agent.close();
  expect(code).toBe(0);
  expect(stderr).toContain('"ids":["p1"]');
  expect(stderr).toContain('Stopped.');
});
