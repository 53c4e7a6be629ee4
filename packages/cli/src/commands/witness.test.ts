import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkpointText,
  checkSignatures,
  formatAddCheckpoint,
  formatVerifierKey,
  parseSignature,
  parseVerifierKey,
} from '@proffer/evidence';
import { makeSignerKey, sha256, signText, verifyEd25519 } from '@proffer/evidence/node';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere, startHere } from '../testing/in-process.js';

const log = makeSignerKey('log.example');

function request(size: number, fill: number): string {
  const state = { size, root: new Uint8Array(32).fill(fill) };
  const text = checkpointText('log.example', state);
  const checkpoint = { origin: 'log.example', ...state, note: { text, signatures: [signText(log, text)] } };
  return formatAddCheckpoint({ old: 0, proof: [], checkpoint });
}

describe('proffer witness', () => {
  it('signs with the key that it prints, and remembers after a restart what it signed', async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'witness');
    const line = ['witness', formatVerifierKey(log.verifier), '--data', data, '--listen', '127.0.0.1:0'];
    const keys: string[] = [];
    for (const [fill, status] of [
      [1, 200],
      [2, 409],
    ] as const) {
      const running = startHere(line);
      const printed = await running.until(/Ctrl-C/);
      const url = /http:\S+/.exec(printed)?.[0] ?? '';
      keys.push(/key {2}(\S+)/.exec(printed)?.[1] ?? '');
      const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: request(5, fill) });
      expect(answer.status).toBe(status);
      const body = await answer.text();
      const second = await runHere(line);
      expect(second.stderr).toContain('Another witness uses');
      if (status === 409) expect(body).toBe('5\n');
      else {
        const key = parseVerifierKey(keys[0] ?? '', sha256);
        const signature = parseSignature(body.trim());
        if (key === undefined || signature === undefined) throw new Error(body);
        const { note } = { note: { text: request(5, fill).split('\n\n')[1] ?? '', signatures: [signature] } };
        expect(
          await checkSignatures({ ...note, text: `${note.text}\n` }, [key], verifyEd25519),
        ).toMatchObject([{ key }]);
      }
      running.interrupt();
      expect(await running.ended).toMatchObject({ code: 0 });
    }
    expect(keys[0]).toBe(keys[1]);
    expect(await readFile(join(data, 'witness.key'), 'utf8')).toMatch(/^PRIVATE\+KEY\+/);
  });

  it('refuses what is not a key, and says what one looks like', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await runHere(['witness', join(folder.path, 'nothing'), '--data', folder.path]);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be read');
  });
});
