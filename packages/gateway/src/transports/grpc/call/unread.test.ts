import { expect, it } from 'vitest';
import { createUnreadByToken } from './unread.js';

it('I-7: a client that does not read does not block others on the same connection', async () => {
  const unreadOf = createUnreadByToken(1_000);
  const greedy = unreadOf('greedy');
  greedy.join();
  greedy.wrote(5_000);
  expect(greedy.countFor(5_000)).toBeGreaterThan(1_000);
  const other = unreadOf('other');
  other.join();
  expect(other.countFor(0)).toBe(0);
  await other.roomFor(
    () => 0,
    () => false,
  );
  expect(unreadOf('greedy')).toBe(greedy);
});

it('I-7: only idle tokens are forgotten once there are many', () => {
  const unreadOf = createUnreadByToken(1_000);
  const busy = unreadOf('busy');
  busy.wrote(1);
  const idle = unreadOf('idle');
  for (let count = 0; count < 100; count++) unreadOf(`token-${count}`);
  expect(unreadOf('busy')).toBe(busy);
  expect(unreadOf('idle')).not.toBe(idle);
});
