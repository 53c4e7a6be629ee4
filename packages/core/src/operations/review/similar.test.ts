import { expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { compareCalls, similarityOf } from './similar.js';

const call = (given: JsonObject, mode: string) => ({
  subject: { list: 'tools', name: 'write' } as const,
  params: { name: 'write', arguments: given, mode },
});

it('O-35: an argument is not confused with the other params, whatever its name', () => {
  expect(
    compareCalls([
      call({ '(mode)': 'wipe', path: '/a' }, 'safe'),
      call({ '(mode)': 'wipe', path: '/b' }, 'safe'),
    ]),
  ).toEqual({
    common: { given: { '(mode)': 'wipe' }, others: { mode: 'safe' } },
    different: [
      { given: { path: '/a' }, others: {} },
      { given: { path: '/b' }, others: {} },
    ],
    differing: ['path'],
  });
  expect(
    compareCalls([call({ '(mode)': 'keep' }, 'safe'), call({ '(mode)': 'wipe' }, 'safe')]),
  ).toMatchObject({
    common: { given: {}, others: { mode: 'safe' } },
    different: [{ given: { '(mode)': 'keep' } }, { given: { '(mode)': 'wipe' } }],
  });
});

it('O-35: the same tool is the same for all agents; tools of different servers are not', () => {
  const of = (proposer: string, name: string, client?: string) =>
    similarityOf({
      method: 'tools/call',
      proposer,
      subject: { list: 'tools', name },
      origin: client === undefined ? undefined : { client },
    });
  expect(of('ann', 'write_file')).toBe(of('bob', 'write_file'));
  expect(of('claude-code', 'claude-code/Bash', 'claude-code')).toBe(of('laptop', 'codex/Bash', 'codex'));
  expect(of('alice', 'alice/notes/append', 'editor')).toBe(of('bob', 'bob/notes/append', 'other'));
  expect(of('notes', 'notes/append', 'editor')).not.toBe(of('files', 'files/append', 'editor'));
  expect(of('ann', 'write_file')).not.toBe(of('ann', 'read_file'));
});
