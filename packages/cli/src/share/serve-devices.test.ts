import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { openMachineFolder } from '../guard/machine-folder.js';
import { devicesIn } from './devices.js';
import { serveDevices } from './serve-devices.js';
import { deviceKeys } from './testing/device-keys.js';

it('a device that leaves before it is let in does not hold up the next one, and is not paired', async () => {
  const path = await mkdtemp(join(tmpdir(), 'proffer-serve-'));
  onTestFinished(() => rm(path, { recursive: true }));
  const questions: ((isYes: boolean) => void)[] = [];
  const left: Promise<unknown>[] = [];
  const share = await serveDevices({
    folder: openMachineFolder(path),
    host: '127.0.0.1',
    port: 0,
    now: Date.now,
    take: (code) => code.startsWith('good'),
    confirm: (_from, _agent, gone) => {
      left.push(once(gone, 'abort'));
      return new Promise((resolve) => {
        questions.push(resolve);
        gone.addEventListener('abort', () => resolve(true));
      });
    },
    onPaired: () => {},
  });
  onTestFinished(() => share.close());
  const scan = (code: string) => {
    const asked = request({
      host: '127.0.0.1',
      port: share.port,
      path: '/hooks/sign-in',
      method: 'POST',
      rejectUnauthorized: false,
      agent: false,
    });
    asked.on('error', () => {});
    asked.end(JSON.stringify({ code, key: deviceKeys().key }));
    return asked;
  };
  const answerTo = async (asked: ReturnType<typeof scan>): Promise<string> => {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return await text(answer);
  };
  const first = scan('good 1');
  await expect.poll(() => questions.length).toBe(1);
  expect(await answerTo(scan('good 2'))).toContain('Another device is waiting to be let in');
  first.destroy();
  await left[0];

  const second = scan('good 3');
  await expect.poll(() => questions.length).toBe(2);
  const answered = answerTo(second);
  questions[1]?.(true);
  expect(JSON.parse(await answered)).toMatchObject({ device: expect.any(String) });
  // A yes that came after the first one had left paired nobody.
  expect(devicesIn(path).list()).toHaveLength(1);
});
