import type { JsonObject } from '@proffer/core/json';
import { listPolicies, policyRegistry } from '@proffer/core/negotiation';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { createGate, journalWith, shared } from '../testing/journals.js';
import { openTable } from '../testing/macp.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { ask } from '../testing/peers/http.js';
import { closedConfig } from '../testing/strangers.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { openTestNegotiation } from '../testing/test-negotiation.js';

const strict = (rules: JsonObject): JsonObject => ({
  policy_id: 'policy.strict',
  mode: 'macp.mode.proposal.v1',
  description: 'One round.',
  rules: JSON.stringify(rules),
  schema_version: 1,
});
const ONE_ROUND = { counter_proposal: { max_rounds: 1 } };

const register = (http: string, token: string, descriptor: JsonObject) =>
  ask(`${http}/macp/policies`, token, { method: 'POST', body: JSON.stringify(descriptor) });
const idsOf = (body: JsonObject): readonly unknown[] =>
  (body['descriptors'] as readonly JsonObject[]).map(({ policy_id }) => policy_id);

describe('policies', () => {
  it('N-13: are registered once, never change, and survive a restart; sessions keep the rules they started with', async () => {
    const journal = createMemoryJournal();
    const table = { id: '' };
    {
      await using server = await startTestGateway('dev: true', shared(journal));
      const { http } = server;
      await using watcher = await readEvents(`${http}/macp/policies`, 'anybody');
      await watcher.take(1);
      expect((await register(http, 'anybody', strict(ONE_ROUND))).status).toBe(200);
      expect((await register(http, 'anybody', strict(ONE_ROUND))).status).toBe(400);
      expect(await register(http, 'anybody', strict({}))).toMatchObject({
        code: 'INVALID_POLICY_DEFINITION',
      });
      expect(idsOf((await watcher.next())?.json ?? {})).toEqual([
        ...listPolicies(policyRegistry.initial).map(({ policy_id }) => policy_id),
        'policy.strict',
      ]);
      const session = openTable(http);
      table.id = session.id;
      expect(await session.start('buyer', { policy_version: 'policy.strict' })).toMatchObject({ ok: true });
      await session.propose('seller', 'p0');
    }
    await using server = await startTestGateway('dev: true', shared(journal));
    const { http } = server;
    const known = await ask(`${http}/macp/policies/policy.strict`, 'anybody');
    expect(known.body).toMatchObject({ policy_descriptor: { description: 'One round.' } });
    const removed = await ask(`${http}/macp/policies/policy.strict`, 'anybody', { method: 'DELETE' });
    expect(removed.status).toBe(200);
    const session = openTable(http, table.id);
    const counter = (id: string, of: string) =>
      session.send('buyer', 'CounterProposal', { proposal_id: id, supersedes_proposal_id: of });
    expect(await counter('p1', 'p0')).toMatchObject({ ok: true });
    expect(await counter('p2', 'p1')).toMatchObject({ code: 'INVALID_ENVELOPE' });
    expect(await openTable(http).start('buyer', { policy_version: 'policy.strict' })).toMatchObject({
      status: 404,
      code: 'UNKNOWN_POLICY_VERSION',
    });
    expect((await ask(`${http}/macp/policies/policy.strict`, 'buyer')).status).toBe(404);
    // Followers of the session have to know its rules.
    const { body } = await session.show('buyer');
    expect(body).toMatchObject({ metadata: { rules: ONE_ROUND } });
    expect((await ask(`${http}/macp/policies/policy.other`, 'buyer')).code).toBe('UNKNOWN_POLICY_VERSION');
    expect(idsOf((await ask(`${http}/macp/policies`, 'anybody')).body)).toHaveLength(
      listPolicies(policyRegistry.initial).length,
    );
    const builtIn = await ask(`${http}/macp/policies/policy.default`, 'anybody', { method: 'DELETE' });
    expect(builtIn.code).toBe('INVALID_POLICY_DEFINITION');
  });

  it.each([
    ['before its record arrives', false],
    ['while its record arrives', true],
  ])('N-13: one registered at another gateway can be named %s', async (_when, arrives) => {
    const journal = createMemoryJournal();
    await using there = await startTestGateway('dev: true', shared(journal));
    await register(there.http, 'anybody', strict(ONE_ROUND));
    const arrival = createGate();
    const look = { isArriving: false, http: '' };
    const lagging = journalWith(shared(journal), {
      async *feed(space, afterSeq, options) {
        for await (const record of journal.feed(space, afterSeq, options)) {
          if (options?.follow !== false) await arrival.opened;
          yield record;
        }
      },
      // As on NATS: what has arrived, unless the caller expects more.
      async head(stream, atLeast = 1) {
        if (look.isArriving) {
          // The start was decided without the policy, and the gateway asks about the session.
          look.isArriving = false;
          arrival.open();
          const path = `${look.http}/macp/policies/policy.new`;
          await expect.poll(async () => (await ask(path, 'anybody')).status).toBe(200);
        }
        const head = await journal.head(stream);
        return { ...head, version: atLeast > 1 ? head.version : Math.min(head.version, 1) };
      },
    });
    await using here = await startTestGateway('dev: true', lagging);
    await register(there.http, 'anybody', { ...strict({}), policy_id: 'policy.new' });
    Object.assign(look, { isArriving: arrives, http: here.http });
    const started = await openTable(here.http).start('buyer', { policy_version: 'policy.new' });
    arrival.open();
    expect(started).toMatchObject({ ok: true });
  });

  it('I-8: all new watchers get the same list', async () => {
    await using talking = await openTestNegotiation(createMemoryJournal());
    const told: unknown[] = [];
    const listener = { write: (item: unknown) => void told.push(item), buffered: () => 0, end: () => {} };
    for (const name of ['ann', 'bob', 'carl']) {
      const caller = await talking.caller(name);
      caller.watchPolicies({ ...listener, drained: () => Promise.resolve() });
    }
    expect(told).toHaveLength(3);
    expect(new Set(told).size).toBe(1);
    await (await talking.caller('ann')).registerPolicy(strict({}));
    while (told.length < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(told).size).toBe(2);
  });

  it('N-3: reading policies counts as a message, and so does changing them', async () => {
    const rate = 'limits: { negotiation_messages_per_participant: 3/h }';
    await using server = await startTestGateway(closedConfig({ agent: '' }, rate));
    const policies = `${server.http}/macp/policies`;
    const token = 'token-of-agent';
    expect((await ask(policies, token)).status).toBe(200);
    expect((await ask(`${policies}/policy.default`, token)).status).toBe(200);
    expect(await register(server.http, token, strict({}))).toMatchObject({ code: 'FORBIDDEN' });
    for (const path of ['', '/policy.default']) {
      expect(await ask(`${policies}${path}`, token)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    }
    expect(await register(server.http, token, strict({}))).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await ask(`${server.http}/macp/modes`, undefined)).status).toBe(200);
  });

  it('N-13, I-4: only those who may manage registries change them', async () => {
    await using server = await startTestGateway(
      closedConfig({ agent: '', manager: 'can_manage_mode_registry: true' }),
    );
    const refused = await register(server.http, 'token-of-agent', strict({}));
    expect(refused).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await register(server.http, 'token-of-manager', strict({}))).status).toBe(200);
    expect((await ask(`${server.http}/macp/policies`, undefined)).status).toBe(401);
  });
});
