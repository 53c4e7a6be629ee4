import type { JsonObject } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { startPeerListener } from '../testing/peer-listener.js';

/** The first format between gateways: it must never change its meaning. */
const FIRST_FORMAT: readonly JsonObject[] = [
  { type: 'ask', gateway: 'old' },
  { type: 'begin', gateway: 'old' },
  { type: 'members', gateway: 'old', members: [{ space: 'main', name: 'tools', capabilities: ['mcp.*'] }] },
  { type: 'end', gateway: 'old', version: 0 },
  { type: 'beat', gateway: 'old', version: 0 },
  {
    type: 'change',
    gateway: 'old',
    version: 1,
    member: { space: 'main', name: 'tools', capabilities: [], serves: 'x' },
  },
  { type: 'spent', gateway: 'old', limit: 'messages', spent: { agent: 1 } },
];

it('O-26: understands a gateway of an earlier version', () => {
  using gateway = startPeerListener();
  const { present, told, hear } = gateway;
  for (const message of FIRST_FORMAT) hear(message);
  expect([...present.values()]).toMatchObject([{ space: 'main', name: 'tools', serves: 'x' }]);
  // It learns who is here in a format it knows, and ignores what is new.
  expect(told.map(({ type }) => type)).toEqual(['begin', 'end', 'config']);
  hear({ type: 'change', gateway: 'old', version: 2, left: { space: 'main', name: 'tools' } });
  expect(present.size).toBe(0);
});

it('O-26: ignores unknown fields of a later version', () => {
  using gateway = startPeerListener();
  const { present, told, hear } = gateway;
  const later = { protocol: 9, hint: { anything: [1, 2] } };
  for (const type of ['weather', '__proto__', 'constructor', 'toString'])
    hear({ type, gateway: 'new', ...later });
  hear({ type: 'begin', gateway: 'new', ...later });
  const member = { space: 'main', name: 'runner', capabilities: ['mcp.*', { unheard: 'of' }], mood: 'good' };
  const unknown = [{ name: 'no space' }, 'text', null, { space: 'elsewhere', name: 'x', capabilities: [] }];
  hear({ type: 'members', gateway: 'new', members: [member, ...unknown], ...later });
  hear({ type: 'end', gateway: 'new', version: 3, ...later });
  hear({ type: 'beat', gateway: 'new', version: 3, ...later });
  hear({ type: 'spent', gateway: 'new', limit: 'kindness', spent: 'much', ...later });
  expect([...present.keys()]).toEqual(['runner']);
  // Nothing of it was missed, so nothing is requested.
  expect(told.filter(({ type }) => type === 'ask')).toEqual([]);
});
