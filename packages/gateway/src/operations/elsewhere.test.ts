import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { type Standing, spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it, onTestFinished } from 'vitest';
import { replayAlone } from '../journal/index.js';
import { Room } from './room.js';

function standing(...sources: readonly string[]): Standing {
  const parsed = sources.map((source) => parseCapability(source));
  return { capabilities: compileCapabilities(parsed.flatMap((one) => (one.ok ? [one.value] : []))) };
}

it('I-4: a participant connected elsewhere has its current rights, not those at connection time', async () => {
  const journal = createMemoryJournal();
  let configured: Standing | undefined = standing('*');
  const room = await Room.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    replay: replayAlone(journal),
    clock: Date.now,
    standingByName: (name) => (name === 'ann' ? configured : undefined),
    absenceGrace: 1_000,
    maxUnread: 1_000,
    onRecords: () => {},
    onFellBehind: () => {},
    onFault: () => {},
    onBroken: () => {},
  });
  onTestFinished(async () => {
    await room.drain();
    room.end();
  });
  const rightsOf = (name: string) => room.host.presence.standingOf(name)?.capabilities.sources;
  room.admit({ space: 'main', name: 'ann', standing: standing('*') });
  room.admit({ space: 'main', name: 'guest', standing: standing('chat.*') });
  expect(rightsOf('ann')).toEqual(['*']);
  configured = standing('chat.message');
  expect(rightsOf('ann')).toEqual(['chat.message']);
  // Someone known only to the other gateway, by a JWT.
  expect(rightsOf('guest')).toEqual(['chat.*']);
});
