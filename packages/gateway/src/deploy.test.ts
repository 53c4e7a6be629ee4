import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './config/index.js';
import { createMetrics } from './metrics/index.js';

const deploy = new URL('../../../deploy/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, deploy), 'utf8');

describe('the files for operators', () => {
  it('watch metrics that there are', async () => {
    const known = await createMetrics().text();
    const files = readdirSync(new URL('monitoring/', deploy)).map((name) => read(`monitoring/${name}`));
    const watched = new Set(files.join('\n').match(/\b(?:proffer|process)_[a-z_]+\b/g));
    expect(watched.size).toBeGreaterThan(8);
    for (const name of watched) expect(known).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
    expect(JSON.parse(read('monitoring/dashboard.json'))).toMatchObject({ title: 'Proffer' });
  });

  it('have a configuration in which only the tokens are missing', () => {
    const { problems } = parseConfig(read('proffer.yaml'), { file: 'proffer.yaml' });
    expect(problems?.map(({ message }) => message)).toEqual([
      expect.stringContaining('Nobody could connect'),
    ]);
    const text = read('proffer.yaml').replace('tokens: []', `tokens: [sha256:${'0'.repeat(64)}]`);
    expect(parseConfig(text, { file: 'proffer.yaml' })).toMatchObject({
      config: { journal: { backend: 'nats', replicas: 3 } },
    });
  });
});
