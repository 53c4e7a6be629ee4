import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteGateway, runningGuards } from '@proffer/client/machine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownGuard } from '../hook/own-entries.js';
import { runHere } from '../testing/in-process.js';
import { noteHere } from './note-here.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proffer-note-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noted = (options: Parameters<typeof noteHere>[2]) => {
  const forget = noteHere(folder, 'files', options);
  const servers = runningGuards(folder).map(({ server }) => server);
  forget();
  return servers;
};

describe('a guard that the hook of its client may rely on', () => {
  it('is noted by the name in the settings, and by no name of its own', () => {
    expect(noted({ knownAs: 'a b' })).toEqual(['a b']);
    expect(noted({})).toEqual([undefined]);
    expect(noted({ knownAs: 'a b', url: 'http://127.0.0.1:1' })).toEqual([undefined]);
    expect(noted({ knownAs: 'a b', http: 0 })).toEqual([undefined]);
  });

  it.each(['a b', 'a_b', '--', '-x', 'guard'])('connect tells it that name: %s', (server) => {
    const words = ownGuard(server, { folder, rules: undefined });
    expect(words).toContain(`--known-as=${server}`);
    expect(words.indexOf('--')).toBe(words.length - 1);
  });
});

describe('a guard that was started by hand', () => {
  const env = (): Record<string, string> => ({ HOME: folder, PROFFER_HOME: folder });

  it('is in status and doctor, with where it asks, until it ends', async () => {
    const forget = noteHere(join(folder, 'guard'), 'files', { url: 'http://127.0.0.1:1' });
    const line = `1 guard running now: files (process ${process.pid}, asks at http://127.0.0.1:1).`;
    expect((await runHere(['status'], env())).stdout).toContain(line);
    expect(JSON.parse((await runHere(['status', '--json'], env())).stdout)).toMatchObject({
      guards: [{ name: 'files', pid: process.pid, gateway: 'http://127.0.0.1:1' }],
    });
    const found = JSON.parse((await runHere(['doctor', '--json'], env())).stdout) as object;
    expect(found).toMatchObject({
      findings: expect.arrayContaining([{ state: 'good', subject: 'guards', message: line }]) as unknown,
    });
    forget();
    expect((await runHere(['status'], env())).stdout).not.toContain('running now');
  });

  it('is seen with a folder of its own, too', async () => {
    const own = join(folder, 'own');
    const forgetGateway = noteGateway(join(folder, 'guard'), {
      url: 'http://127.0.0.1:1',
      spaces: ['main'],
      folder: own,
    });
    const forget = noteHere(own, 'time', {});
    expect((await runHere(['status'], env())).stdout).toContain(
      `1 guard running now: time (process ${process.pid}).`,
    );
    forget();
    forgetGateway();
  });
});
