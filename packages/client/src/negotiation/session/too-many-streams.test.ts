import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { participant, WAYS } from '../testing/ways.js';
import { ProposalSession } from './proposal-session.js';

const TERMS = { intent: 'agree on a price', participants: ['ann', 'bob'], ttlMs: 60_000 } as const;

/** Over WebSocket all followed sessions share one connection. */
const EACH_BY_ITSELF = WAYS.filter(({ name }) => name !== 'WebSocket');

describe.each(EACH_BY_ITSELF)('more sessions than may be followed over $name', (way) => {
  it('I-7: are refused at once, with the code, and can be joined when there is room', async () => {
    const limits = 'limits: { streams_per_token: 1, connections_per_token: 1 }';
    await using gateway = await startTestGateway(`dev: true\n${limits}`);
    await using ann = participant(way, way.port(gateway), 'ann', { timeout: 600_000 });
    const first = new ProposalSession(ann);
    await first.start(TERMS);
    await using second = new ProposalSession(ann);
    await expect(second.start(TERMS)).rejects.toMatchObject({ name: 'MacpError', code: 'RATE_LIMITED' });
    await expect(second.propose('p1', 'Ten')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await ann.getSession(second.sessionId)).toMatchObject({
      state: 'OPEN',
      participant_activity: [{ message_count: 1 }],
    });
    await first.close();
    for (;;) {
      const joined = await ProposalSession.join(ann, second.sessionId).catch(() => undefined);
      if (joined === undefined) continue;
      expect(joined.state).toBe('OPEN');
      await joined.close();
      break;
    }
  });
});
