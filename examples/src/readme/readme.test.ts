import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devConfig, startGateway } from '@proffer/gateway';
import { createMemoryJournal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

const script = new URL('../../quick-start.mjs', import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

describe('the README', () => {
  it('shows the program that is in the examples', () => {
    expect(read(new URL('../../../README.md', import.meta.url))).toContain(read(script).trim());
  });

  it('and it does what the README says, in plain Node', async () => {
    const config = devConfig();
    const listen = {
      ...config.listen,
      http: { host: '127.0.0.1', port: 0 },
      grpc: { host: '127.0.0.1', port: 0 },
    };
    const log = pino({ level: 'silent' });
    const started = await startGateway({
      config: { ...config, listen },
      log,
      journal: createMemoryJournal(),
    });
    if (!started.ok) throw new Error(started.refusal.message);
    const env = { ...process.env, PROFFER_URL: `ws://127.0.0.1:${started.value.address.port}` };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script)], { env });
      expect(stdout).toBe('Hello, Ada!\n');
    } finally {
      await started.value.close();
    }
  });
});
