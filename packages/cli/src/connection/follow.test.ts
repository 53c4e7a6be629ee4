import { expect, it } from 'vitest';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import type { GatewayConnection } from './connection.js';
import { follow } from './follow.js';

it('I-6: keeps following while a gateway that came back is not ready yet', async () => {
  const notReady = new CommandFailure({ exit: EXIT.refused, code: 'unavailable', message: 'not open yet' });
  const message = { seq: 8, id: 'm' } as LoggedMessage;
  const answers = [() => Promise.reject(notReady), async () => [message]];
  const ends = new AbortController();
  const connection = { events: () => answers.shift()?.() } as unknown as GatewayConnection;
  const following = { after: 7, signal: ends.signal, hasAnswered: true };
  for await (const next of follow(connection, following)) {
    expect(next).toBe(message);
    ends.abort();
  }
  expect(answers).toEqual([]);
});
