import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { createIssuerKey, NOW } from '../door/auth/testing/issuer.js';
import { loopbackConfig } from '../loopback.js';
import { invite, kick, tokenIn } from '../testing/across/membership.js';
import { createGate, type Gate, journalWith, shared } from '../testing/journals.js';
import { chat, proposal } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { ask, post } from '../testing/peers/http.js';
import { joinAs, ofKind, rootOf } from '../testing/peers/mew-client.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { createToken } from '../token.js';

const rsa = await createIssuerKey('RS256', 'rsa');
const ISSUER = { issuer: 'https://issuer.example', audience: 'proffer', jwks: { keys: [rsa.jwk] } };
const host = createToken();

/** A gateway whose configuration names a host, and somebody of another space; with this about JWTs. */
const config = (jwt: object = {}) => `
spaces: { main: , lab: }
participants:
  host: { tokens: ["${host.hash}"], spaces: { main: ["*"] } }
  boss: { tokens: ["${host.hash.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}"], spaces: { lab: ["*"] } }
jwt: ${JSON.stringify({ ...ISSUER, ...jwt })}
`;
const CLAIMED = { claims: [{ claim: 'groups', has: 'x', spaces: { main: ['chat.message'] } }] };
const UNLISTED = [
  { unlisted_subjects: { spaces: { main: ['chat.message'] } } },
  { unlisted_subjects: CLAIMED },
] as const;

describe('where subjects of an issuer are admitted whom no configuration names', () => {
  it.each(UNLISTED)('O-51: nobody is invited, and no earlier invitation is valid: %j', async (jwt) => {
    await using gateway = await startTestGateway(config(), createMemoryJournal(), () => NOW);
    const token = tokenIn(await post(gateway.http, host.token, invite('i1')));
    expect(await post(gateway.http, token, chat('c1'))).toMatchObject({ status: 200 });
    gateway.gateway.reload(loopbackConfig(config(jwt)));
    expect(await post(gateway.http, token, chat('c2'))).toMatchObject({ status: 401 });
    expect(await post(gateway.http, host.token, invite('i2', { participant: 'another' }))).toMatchObject({
      code: 'not_invitable',
    });
  });

  it.each(UNLISTED)('O-52: a kick can be undone, for subjects and for others: %j', async (jwt) => {
    await using gateway = await startTestGateway(config(jwt), createMemoryJournal(), () => NOW);
    const alice = await rsa.sign({ sub: 'alice', groups: ['x'] });
    expect(await post(gateway.http, alice, chat('c1'))).toMatchObject({ status: 200 });
    await post(gateway.http, host.token, kick('k1', 'alice'));
    expect(await post(gateway.http, alice, chat('c2'))).toMatchObject({ code: 'kicked' });
    const again = await post(gateway.http, host.token, invite('i1', { participant: 'alice' }));
    expect(again.body).not.toHaveProperty('invitation');
    expect(await post(gateway.http, alice, chat('c3'))).toMatchObject({ status: 200 });
  });
});

it('O-51: a name of the configuration is nobody else’s, also where its owner may not be', async () => {
  await using gateway = await startTestGateway(config(), createMemoryJournal(), () => NOW);
  for (const participant of ['boss', 'b0ss'])
    expect(await post(gateway.http, host.token, invite('i1', { participant }))).toMatchObject({
      code: 'not_invitable',
    });
});

it('O-51: nobody is given everything, which would let them approve and invite', async () => {
  await using gateway = await startTestGateway();
  expect(await post(gateway.http, 'reviewer', invite('i1', { capabilities: ['*'] }))).toMatchObject({
    status: 403,
    code: 'not_grantable',
  });
});

it('O-41, O-52: a mew client learns that it has lost what a removed participant granted it', async () => {
  await using gateway = await startTestGateway(
    'dev: true\nparticipants: { boss: { spaces: { main: ["*"] } } }',
  );
  const join = { type: 'join', space: 'main', token: 'agent', participantId: 'agent' };
  await using agent = await joinAs(rootOf(gateway.http), join);
  const welcomes = () => agent.heard.filter(ofKind('system/welcome'));
  const granted = { to: 'agent', capabilities: ['mcp.request.resources/read'], ttl: 3_600_000 };
  await agent.next(ofKind('system/welcome'));
  await post(gateway.http, 'reviewer', { id: 'g1', kind: 'mcpx.grant.capability', payload: granted });
  await until(async () => JSON.stringify(welcomes().at(-1)).includes('resources/read'));
  await post(gateway.http, 'boss', kick('k1', 'reviewer'));
  await until(async () => !JSON.stringify(welcomes().at(-1)).includes('resources/read'));
});

it('I-4, O-52: a removed participant reads nothing any more, and what it follows ends', async () => {
  await using gateway = await startTestGateway();
  const space = `${gateway.http}/spaces/main`;
  await post(gateway.http, 'bob', proposal('p1'));
  await using feed = await readEvents(`${space}/feed?after=now`, 'bob');
  await using followed = await readEvents(`${space}/proposals/p1`, 'bob');
  const waiting = ask(`${space}/proposals/p1?wait=5m`, 'bob');
  await post(gateway.http, 'reviewer', kick('k1', 'bob'));
  const heard: JsonObject[] = [];
  for (let event = await feed.next(); event !== undefined; event = await feed.next()) heard.push(event.json);
  expect(heard).toContainEqual(expect.objectContaining({ id: 'k1' }));
  while ((await followed.next()) !== undefined);
  // It ends, and may have come too late to begin.
  expect([200, 403]).toContain((await waiting).status);
  const details = ['proposals/p1', 'proposals/p1/evidence', 'evidence', 'grants', 'delegations'];
  for (const path of ['feed', 'proposals', ...details]) {
    const { status, code } = await ask(`${space}/${path}`, 'bob');
    expect([path, status, code]).toEqual([path, 403, 'kicked']);
  }
});

it('O-52: a gateway that has not heard yet that somebody was let in again asks before it refuses', async () => {
  const journal = createMemoryJournal();
  const held: { gate?: Gate } = {};
  const slow = journalWith(shared(journal), {
    peers: { tell: () => true, listen: () => () => {} },
    async *feed(...given) {
      for await (const record of journal.feed(...given)) {
        await held.gate?.opened;
        yield record;
      }
    },
    lastSeq(...given) {
      held.gate?.open();
      return journal.lastSeq(...given);
    },
  });
  await using here = await startTestGateway(undefined, shared(journal));
  await using there = await startTestGateway(undefined, slow);
  await post(here.http, 'reviewer', kick('k1', 'agent'));
  await until(async () => (await post(there.http, 'agent', chat('c1'))).code === 'kicked');
  held.gate = createGate();
  const { id, kind } = invite('i1');
  await post(here.http, 'reviewer', { id, kind, payload: { participant: 'agent' } });
  expect(await post(there.http, 'agent', chat('c2'))).toMatchObject({ status: 200 });
});
