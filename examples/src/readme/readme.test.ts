import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devConfig, startGateway } from '@proffer/gateway';
import { createMemoryJournal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

const PROGRAMS = [
  ['quick-start.mjs', 'Hello, Ada!\n'],
  ['negotiate.mjs', 'Committed p2\n'],
] as const;
const program = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

describe('the README', () => {
  it.each(PROGRAMS)('shows %s as it is in the examples', (name) => {
    expect(read(new URL('../../../README.md', import.meta.url))).toContain(read(program(name)).trim());
  });

  it.each(PROGRAMS)('%s does what the README says, in plain Node', async (name, prints) => {
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
    const { address, grpcAddress } = started.value;
    const env = {
      ...process.env,
      PROFFER_URL: `ws://127.0.0.1:${address.port}`,
      PROFFER_GRPC: `127.0.0.1:${grpcAddress?.port}`,
    };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program(name))], { env });
      expect(stdout).toBe(prints);
    } finally {
      await started.value.close();
    }
  });
});
