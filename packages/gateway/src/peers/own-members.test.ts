import { compileCapabilities } from '@proffer/core/capability';
import type { JsonObject } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { createOwnMembers } from './own-members.js';

it('O-23, O-26: a connection revoked while it was opening counts when it leaves, and only then', () => {
  const told: JsonObject[] = [];
  const members = createOwnMembers((type, fields = {}) => void told.push({ type, ...fields })).in('main');
  members.entered('tools', { capabilities: compileCapabilities([]), roles: ['ops'] });
  members.entered('tools', undefined);
  members.left('tools');
  expect(told).toMatchObject([{ type: 'change', member: { name: 'tools', roles: ['ops'] } }]);
  members.left('tools');
  expect(told[1]).toMatchObject({ type: 'change', left: { space: 'main', name: 'tools' } });
});
