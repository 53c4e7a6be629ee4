import { isJsonArray, isJsonObject } from '@proffer/core/json';
import { recordInMessage, type SealedOperation } from '@proffer/core/operations';
import { verifyStream } from '@proffer/core/records';
import { expect, it } from 'vitest';
import { chat, proposal } from '../testing/messages.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

it('I-3, O-4: delivers the sealed record with each message on request, live and from history', async () => {
  await using gateway = await startTestGateway();
  await using follower = await connectPeer(gateway.ws, 'reviewer', { records: 'true' });
  await using plain = await connectPeer(gateway.ws, 'reviewer');
  await using agent = await connectPeer(gateway.ws, 'agent');
  await agent.say(proposal('p1'));
  const live = await follower.next(({ id }) => id === 'p1');
  expect(verifyStream([recordInMessage(live) as SealedOperation]).ok).toBe(true);
  expect(await plain.next(({ id }) => id === 'p1')).not.toHaveProperty('record');
  await agent.say(chat('c1'));
  const { body } = await ask(`${gateway.http}/spaces/main/feed?records=true`, 'reviewer');
  const messages = isJsonArray(body['messages']) ? body['messages'].filter(isJsonObject) : [];
  const past = messages.map((message) => recordInMessage(message));
  expect(past.map((record) => record?.type)).toEqual(['proposed', 'said']);
  expect(past[0]).toEqual(recordInMessage(live));
  const wrong = await ask(`${gateway.http}/spaces/main/feed`, 'reviewer');
  expect(JSON.stringify(wrong.body)).not.toContain('"record"');
});
