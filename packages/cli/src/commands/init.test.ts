import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseKeyRing } from '@proffer/journal/nats-keys';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

describe('a configuration', () => {
  it('is named if it does not exist, with the command that writes one', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'nope.yaml');
    const { code, stderr } = await runHere(['up', '--config', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`✗ ${file} does not exist; nothing was started.`);
    expect(stderr).toContain(`→ proffer init ${file}`);
    const { stdout } = await runHere(['init', file]);
    expect(stdout).toContain('The tokens of the participants. They are shown only once');
  });
});

describe('keys for gateways on NATS', () => {
  it('I-9: init makes one that only its owner can read, and keeps one that is there', async () => {
    await using folder = await temporaryFolder();
    const keys = join(folder.path, 'proffer.keys');
    const { code, stdout } = await runHere(['init', join(folder.path, 'proffer.yaml')]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote ${keys}`);
    expect((await stat(keys)).mode & 0o077).toBe(0);
    const written = await readFile(keys, 'utf8');
    const ring = parseKeyRing(written, 'the file');
    expect(ring).toMatchObject({ ok: true });
    if (ring.ok) expect(ring.value.accepted.size).toBe(1);
    // A secret is not shown.
    expect(stdout).not.toContain(written.trim().split('\n').at(-1)?.split(':')[1]);
    const again = await runHere(['init', join(folder.path, 'other.yaml')]);
    expect(again.stdout).not.toContain('proffer.keys');
    expect(await readFile(keys, 'utf8')).toBe(written);
  });

  it('I-9: key prints a line for that file', async () => {
    await using folder = await temporaryFolder();
    await runHere(['init', join(folder.path, 'proffer.yaml')]);
    const keys = join(folder.path, 'proffer.keys');
    const { code, stdout } = await runHere(['key']);
    expect(code).toBe(0);
    await writeFile(keys, stdout, { flag: 'a' });
    const ring = parseKeyRing(await readFile(keys, 'utf8'), 'the file');
    if (!ring.ok) throw new Error(ring.refusal.message);
    expect(ring.value.accepted.size).toBe(2);
    expect(ring.value.current.id).not.toBe(stdout.split(':')[0]);
  });
});
