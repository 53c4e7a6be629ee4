import type { JsonObject } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { expect, it } from 'vitest';
import { compare } from './differences.js';

const call = (given: JsonObject, mode: string) =>
  ({
    method: 'tools/call',
    subject: { list: 'tools', name: 'write' },
    params: { name: 'write', arguments: given, mode },
  }) as unknown as Proposal;

it('O-35: an argument is not taken for what is sent beside the arguments, whatever its name', () => {
  expect(
    compare([call({ '(mode)': 'wipe', path: '/a' }, 'safe'), call({ '(mode)': 'wipe', path: '/b' }, 'safe')]),
  ).toEqual({
    common: { given: { '(mode)': 'wipe' }, others: { mode: 'safe' } },
    different: [
      { given: { path: '/a' }, others: {} },
      { given: { path: '/b' }, others: {} },
    ],
    differing: ['path'],
  });
  expect(compare([call({ '(mode)': 'keep' }, 'safe'), call({ '(mode)': 'wipe' }, 'safe')])).toMatchObject({
    common: { given: {}, others: { mode: 'safe' } },
    different: [{ given: { '(mode)': 'keep' } }, { given: { '(mode)': 'wipe' } }],
  });
});
