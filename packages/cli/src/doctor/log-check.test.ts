import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

describe('doctor with a signed log', () => {
  it('I-9: says that a journal has fewer records than its log signed, and what to do', async () => {
    await using home = await temporaryFolder();
    const at = (name: string) => join(home.path, name);
    await writeFile(at('log.key'), `${formatSignerKey(makeSignerKey('proffer.example/log'))}\n`, {
      mode: 0o600,
    });
    const yaml = `dev: true\nevidence: { key: ${JSON.stringify(at('log.key'))} }\n`;
    const place = `journal: { backend: local, path: ${JSON.stringify(at('data'))} }\n`;
    await writeFile(at('proffer.yaml'), `${yaml}${place}listen: { http: "127.0.0.1:0" }\n`);
    const propose = async (id: string) => {
      await using gateway = await startOnLoopback(yaml, { folder: at('data') });
      const line = ['propose', 'echo', '--id', id, '--no-wait', '--as', 'agent'];
      await runHere(line, { PROFFER_URL: `http://127.0.0.1:${gateway.port}` });
    };
    const doctor = async () => {
      const { stdout } = await runHere(['doctor', '--config', at('proffer.yaml'), '--json']);
      const { findings } = JSON.parse(stdout) as { findings: readonly { readonly subject: string }[] };
      return findings.find(({ subject }) => subject === 'journal');
    };
    await propose('p-1');
    await cp(at('data'), at('older'), { recursive: true });
    await propose('p-2');
    expect(await doctor()).toMatchObject({ state: 'good', message: expect.stringContaining('is intact') });
    await rm(at('data'), { recursive: true });
    await cp(at('older'), at('data'), { recursive: true });
    expect(await doctor()).toMatchObject({
      state: 'bad',
      message: expect.stringMatching(
        /log\.key\.checkpoint covers \d+ records, and the journal has only \d+\. Keep the journal as it is/,
      ),
    });
    await writeFile(at('log.key.checkpoint'), 'nothing');
    expect(await doctor()).toMatchObject({
      state: 'bad',
      message: expect.stringContaining('is not a checkpoint'),
    });
  });
});
