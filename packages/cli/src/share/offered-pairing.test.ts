import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { offeredPairing } from './offered-pairing.js';

it('knows the others that serve devices when one of several ends', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'shared-at');
  // The process that runs the tests serves, too; one that was killed does not.
  writeFileSync(file, `999999999 https://10.0.0.9:1\n${process.ppid} https://10.0.0.1:7443`);
  const pairing = offeredPairing(folder.path);
  pairing.begin({ host: '10.0.0.2', port: 7444 });
  expect(pairing.servedAt()).toEqual({ host: '10.0.0.2', port: 7444 });
  expect(readFileSync(file, 'utf8')).not.toContain('10.0.0.9');
  pairing.end();
  expect(pairing.servedAt()).toEqual({ host: '10.0.0.1', port: 7443 });
  expect((await pairing.link(0))?.link).toMatch(/^https:\/\/10\.0\.0\.1:7443\/console\/#code=/);
});

it('says in a sentence that the file is unusable, and goes on', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'shared-at');
  mkdirSync(file);
  const pairing = offeredPairing(folder.path);
  expect(pairing.servedAt()).toBeUndefined();
  expect(pairing.fault()).toBe(`${file} cannot be opened: it is a folder (EISDIR).`);
  expect(await pairing.link(0)).toBeUndefined();
});
