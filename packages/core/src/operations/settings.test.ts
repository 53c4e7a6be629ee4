import { expect, it } from 'vitest';
import { spaceSettings } from './settings.js';
import { createWorld, propose } from './testing/world.js';

it('O-3: undefined settings get their defaults', () => {
  const settings = spaceSettings({ name: 'main', dedupWindow: undefined as never });
  expect(settings.dedupWindow).toBe(600_000);
});

it('O-19: the default is never more than the maximum', () => {
  const world = createWorld(undefined, { defaultTtl: 100, maxTtl: 10 });
  world.send(propose('p1'));
  expect(world.proposal('p1').expiresAt).toBe(world.now + 10);
});
