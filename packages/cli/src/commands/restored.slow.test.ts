import { connect } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { expect, it } from 'vitest';
import { proffer, temporaryFolder } from '../testing/cli.js';
import { SERVER } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';

const OLDER = "The gateway's history is older than the one that this command has seen";

it('I-6: a gateway that returns with less history disconnects clients that have seen more, with the reason', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const before = await startOnLoopback();
  const { port } = before;
  const at = ['--url', `http://127.0.0.1:${port}`];
  const server = ['--', process.execPath, SERVER, path];
  const bridge = proffer(['bridge', '--data', path, ...at, '--token', 'files', ...server]);
  const proposal = runHere(['propose', 'write_file', '--arg', 'path=a', '--id', 'a', ...at]);
  const watcher = await connect({ url: before.url, space: 'main', token: 'watcher' });
  await expect.poll(() => JSON.stringify(watcher.participants)).toContain('write_file');
  await expect.poll(() => watcher.pending).toHaveLength(1);
  await watcher.close();
  await before[Symbol.asyncDispose]();
  await using restored = await startOnLoopback('dev: true', { port });
  expect(restored.port).toBe(port);

  const bridged = await bridge;
  expect(bridged.code).toBe(3);
  expect(bridged.stderr).toContain(OLDER);
  const proposed = await proposal;
  expect(proposed.code).toBe(3);
  expect(proposed.stderr).toContain(OLDER);
  expect(proposed.stderr).toContain('The proposal "a" may be gone.');
  expect(proposed.stderr).toContain(`→ proffer show a ${at.join(' ')}`);
});
