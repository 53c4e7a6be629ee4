import { sha256 } from '@proffer/core';
import { canonicalJson, type JsonObject } from '@proffer/core/json';
import { parseRecord, recordText } from '@proffer/core/records';
import { type Intruder, type NatsServers, openIntruder, startNatsServers } from '@proffer/journal/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startOnLoopback } from '../loopback.js';
import { chat, fulfilment, proposal } from '../testing/messages.js';
import { readMetric } from '../testing/metrics.js';
import { openOnNats, startOnNats } from '../testing/on-nats.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';

let servers: NatsServers;
let intruder: Intruder;
let stream = '';
let streams = 0;
const nats = () => ({ servers: servers.urls, stream, replicas: 1 });

beforeAll(async () => {
  servers = await startNatsServers();
  intruder = await openIntruder(servers.urls);
});
beforeEach(() => {
  stream = `gateways-${streams++}`;
});
afterAll(async () => {
  await intruder[Symbol.asyncDispose]();
  await servers[Symbol.asyncDispose]();
});

/** Writes the fulfilment of one proposal once more, as that of another: chained, hashed, and by the reviewer. */
async function forgeApproval(of: string, as: string): Promise<number> {
  const subject = (id: string): string => `${stream}.main.proposal.${id}`;
  const real = await intruder.last(stream, subject(of));
  const before = await intruder.last(stream, subject(as));
  const parsed = parseRecord(
    JSON.parse(
      JSON.stringify({ ...(JSON.parse(real.data) as JsonObject), hash: '' }).replaceAll(`"${of}"`, `"${as}"`),
    ) as JsonObject,
  );
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const {
    stream: _stream,
    version: _version,
    prev: _prev,
    hash: _hash,
    schema: _schema,
    ...content
  } = parsed.value;
  const head = { stream: `main/proposal/${as}`, version: 1, hash: before.headers['Proffer-Hash'] ?? '' };
  const text = recordText(
    { ...content, envelope: { ...content.envelope, id: `f-${as}` } },
    head,
    canonicalJson({ ...content.envelope, id: `f-${as}` }),
  );
  return await intruder.write(subject(as), text, {
    ...real.headers,
    'Proffer-Hash': sha256(text),
    'Proffer-Version': '2',
  });
}

const gatewayStopped = {
  status: 503,
  body: { ready: false, reason: expect.stringContaining('no gateway wrote') },
};

it('I-4, I-9: a forged approval never reaches the executor, and stops the space at every gateway', async () => {
  const logged: JsonObject[] = [];
  const log = pino(
    { level: 'error' },
    { write: (line: string) => logged.push(JSON.parse(line) as JsonObject) },
  );
  const yaml = '{ dev: true, spaces: { main: {}, lab: {} } }';
  await using here = await startOnLoopback(yaml, { journal: await openOnNats(nats()), log });
  await using there = await startOnNats(nats(), { yaml });
  const [first, second] = [`http://127.0.0.1:${here.port}`, there.http];
  await using agent = await connectPeer(`${here.url}/ws`, 'agent');
  await using tools = await connectPeer(there.ws, 'tools');
  await using reviewer = await connectPeer(`${here.url}/ws`, 'reviewer');
  await agent.say(proposal('p0'));
  await agent.say(proposal('p1'));
  await reviewer.say(fulfilment('f0', 'p0'));
  await tools.next(({ id }) => id === 'f0');
  expect(await ask(`${first}/readyz`, undefined)).toMatchObject({ status: 200 });

  const seq = await forgeApproval('p0', 'p1');
  for (const http of [first, second])
    await expect.poll(() => ask(`${http}/readyz`, undefined)).toMatchObject(gatewayStopped);
  expect(await readMetric(first, 'proffer_journal_stopped_spaces')).toBe(1);
  expect(logged).toContainEqual(
    expect.objectContaining({ space: 'main', refusal: expect.objectContaining({ code: 'forged_record' }) }),
  );
  // Nothing is decided there, and nobody is told that something was.
  expect(await post(first, 'agent', chat('c1'))).toMatchObject({ status: 503, code: 'unavailable' });
  agent.send(chat('c2'));
  expect(await agent.error('c2')).toMatchObject({ error: 'unavailable' });
  const { body } = await ask(`${second}/spaces/main/proposals?state=pending`, 'reviewer');
  expect(body).toMatchObject({ proposals: [{ id: 'p1' }] });
  expect(await ask(`${second}/spaces/main/proposals/p1`, 'reviewer')).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining('no gateway wrote') },
  });
  expect(tools.messages.filter(({ kind }) => kind.startsWith('mcp.request.')).map(({ id }) => id)).toEqual([
    'f0',
  ]);
  // The other space goes on.
  const elsewhere = { method: 'POST', body: JSON.stringify(chat('c3')) };
  expect(await ask(`${first}/spaces/lab/messages`, 'agent', elsewhere)).toMatchObject({ status: 200 });

  // A gateway does not start on such a journal, until somebody has removed the message.
  await expect(openOnNats(nats())).rejects.toThrow(`Message ${seq} on ${stream}.main.proposal.p1`);
  await intruder.deleteMessage(stream, seq);
  await using again = await startOnNats(nats(), { yaml });
  const { body: now } = await ask(`${again.http}/spaces/main/proposals?state=pending`, 'reviewer');
  expect(now).toMatchObject({ proposals: [{ id: 'p1' }] });
});

it('I-4, I-9: a forged message between gateways makes nobody present', async () => {
  await using gateway = await startOnNats(nats());
  await using reviewer = await connectPeer(gateway.ws, 'reviewer');
  const member = { space: 'main', name: 'ghost', capabilities: ['*'] };
  for (const type of ['begin', 'members', 'end', 'change'])
    intruder.say(
      `${stream}-peers`,
      JSON.stringify({ type, gateway: 'me', version: 1, members: [member], member }),
    );
  await expect.poll(() => readMetric(gateway.http, 'proffer_peer_messages_rejected_total')).toBe(4);
  await reviewer.say(chat('c1'));
  expect(JSON.stringify(reviewer.messages)).not.toContain('ghost');
});

it('I-1, I-9: a gateway whose stream was deleted and created anew is not ready, and decides nothing', async () => {
  await using gateway = await startOnNats(nats());
  await using agent = await connectPeer(gateway.ws, 'agent');
  await agent.say(proposal('p1'));
  await intruder.replaceStream(stream);
  await expect
    .poll(() => ask(`${gateway.http}/readyz`, undefined))
    .toMatchObject({
      status: 503,
      body: { reason: expect.stringContaining('was deleted and created anew') },
    });
  for (const message of [chat('c1'), proposal('p2'), fulfilment('f1', 'p1')])
    expect(await post(gateway.http, 'reviewer', message)).toMatchObject({ status: 503, code: 'unavailable' });
});
