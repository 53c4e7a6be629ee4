import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testKilledNotifiers } from './testing/killed-notifiers.js';

testKilledNotifiers({
  name: 'one gateway',
  kills: process.env['PROFFER_LONG'] === undefined ? 6 : 100,
  async place() {
    const path = await mkdtemp(join(tmpdir(), 'proffer-notify-kill-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return { backend: 'local', path };
  },
});
