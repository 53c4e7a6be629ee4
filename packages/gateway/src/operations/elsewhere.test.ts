import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { type ParticipantRights, spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it, onTestFinished } from 'vitest';
import { replayAlone } from '../journal/index.js';
import { LiveSpace } from './live-space.js';

function rightsTo(...sources: readonly string[]): ParticipantRights {
  const parsed = sources.map((source) => parseCapability(source));
  return { capabilities: compileCapabilities(parsed.flatMap((one) => (one.ok ? [one.value] : []))) };
}

it('I-4: a participant connected elsewhere has its current rights, not those at connection time', async () => {
  const journal = createMemoryJournal();
  let configured: ParticipantRights | undefined = rightsTo('*');
  const liveSpace = await LiveSpace.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    replay: replayAlone(journal),
    clock: Date.now,
    rightsByName: (name) => (name === 'ann' ? configured : undefined),
    absenceGrace: 1_000,
    maxUnread: 1_000,
    onRecords: () => {},
    onFellBehind: () => {},
    onFault: () => {},
    onBroken: () => {},
  });
  onTestFinished(async () => {
    await liveSpace.drain();
    liveSpace.end();
  });
  const rightsOf = (name: string) => liveSpace.host.presence.rightsOf(name)?.capabilities.sources;
  liveSpace.admit({ space: 'main', name: 'ann', rights: rightsTo('*') });
  liveSpace.admit({ space: 'main', name: 'guest', rights: rightsTo('chat.*') });
  expect(rightsOf('ann')).toEqual(['*']);
  configured = rightsTo('chat.message');
  expect(rightsOf('ann')).toEqual(['chat.message']);
  // Someone known only to the other gateway, by a JWT.
  expect(rightsOf('guest')).toEqual(['chat.*']);
});
