import { readFileSync } from 'node:fs';
import { devConfig, startGateway } from '@proffer/gateway';
import { createMemoryJournal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { quickStart } from './quick-start.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the README', () => {
  it('shows the code that runs here', () => {
    expect(read('../../../README.md')).toContain(read('./quick-start.ts').trim());
  });

  it('and it does what the README says', async () => {
    const config = devConfig();
    const listen = { ...config.listen, http: { host: '127.0.0.1', port: 0 } };
    const log = pino({ level: 'silent' });
    const started = await startGateway({
      config: { ...config, listen },
      log,
      journal: createMemoryJournal(),
    });
    if (!started.ok) throw new Error(started.refusal.message);
    const { port } = started.value.address;
    try {
      const result = await quickStart(`ws://127.0.0.1:${port}`);
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'Hello, Ada!' }] });
    } finally {
      await started.value.close();
    }
  });
});
