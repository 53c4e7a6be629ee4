import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningGuards } from '@proffer/client/machine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownGuard } from '../hook/own-entries.js';
import { noteHere } from './note-here.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proffer-note-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noted = (options: Parameters<typeof noteHere>[1]): readonly string[] => {
  const forget = noteHere(folder, options);
  const servers = runningGuards(folder).map(({ server }) => server);
  forget?.();
  return servers;
};

describe('a guard that the hook of its client may rely on', () => {
  it('is noted by the name in the settings, and by no name of its own', () => {
    expect(noted({ knownAs: 'a b' })).toEqual(['a b']);
    expect(noted({})).toEqual([]);
    expect(noted({ knownAs: 'a b', url: 'http://127.0.0.1:1' })).toEqual([]);
  });

  it.each(['a b', 'a_b', '--', '-x', 'guard'])('connect tells it that name: %s', (server) => {
    const words = ownGuard(server, { folder, rules: undefined });
    expect(words).toContain(`--known-as=${server}`);
    expect(words.indexOf('--')).toBe(words.length - 1);
  });
});
