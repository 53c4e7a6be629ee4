import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnLoopback } from '@proffer/gateway';
import { asOrdinaryUser } from '@proffer/journal/testing';
import { describe, expect, it } from 'vitest';
import { createConnection } from '../connection/connection.js';
import { proposalMessage } from '../connection/envelopes.js';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

/** Makes a journal with one proposal, which everyone may read and only root may write. */
async function makeReadOnlyJournal(above: string): Promise<string> {
  const folder = join(above, 'data');
  {
    await using started = await startOnLoopback('dev: true\nlisten: { grpc: off }', { folder });
    const url = `http://127.0.0.1:${started.port}`;
    const agent = createConnection(
      { url, space: 'main', token: 'agent', assumed: false, given: {} },
      'proffer',
    );
    await agent.send(proposalMessage('p-1', { method: 'tools/call', params: { name: 'echo' } }, {}));
  }
  await chmod(above, 0o755);
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o444);
  await chmod(folder, 0o555);
  return folder;
}

describe('a journal that this user may only read', () => {
  it('is read, verified, and called read-only where it would be written', async () => {
    await using above = await temporaryFolder();
    const data = await makeReadOnlyJournal(above.path);
    const run = (...line: string[]) => runHere([...line, '--data', data], { HOME: above.path });
    // What the commands load is loaded now.
    for (const command of ['log', 'replay', 'verify', 'doctor', 'repair']) await run(command);
    await asOrdinaryUser(async () => {
      expect((await run('log')).stdout).toContain('echo');
      expect((await run('replay')).stdout).toContain('p-1');
      expect((await run('verify')).stdout).toContain('is intact');
      const doctor = await run('doctor');
      expect(doctor.stdout).toContain('is read-only for this user (EACCES)');
      for (const command of [['repair'], ['compact', '--older-than', '1d'], ['up', '--dev', '--port', '0']]) {
        const { stderr, code } = await run(...command);
        expect(stderr).toContain('is read-only for this user (EACCES)');
        expect(stderr).toContain('Give this user read and write access to it, or choose another folder.');
        expect(stderr).not.toMatch(/damaged|backup/);
        expect(code).toBe(1);
      }
    });
    await chmod(data, 0o755);
  });
});
