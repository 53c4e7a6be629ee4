import { expect } from 'vitest';
import type { StoredOperation } from '../../delivery/index.js';
import { answer, call, proposal } from '../messages.js';
import { until } from '../metrics.js';
import { PersistentClient } from '../peers/persistent-client.js';
import { createRandom } from '../random.js';
import type { StartFleet } from './fleet.js';

const USES = 30;
const GRANT = {
  id: 'g1',
  kind: 'mcpx.grant.capability',
  payload: { to: 'agent', capabilities: ['mcp.request.tools/call:write_file'], uses: USES, ttl: 3_600_000 },
};

/** A request of the agent's own, or a proposal that the grant runs at once. */
const message = (index: number) =>
  index % 2 === 0
    ? { id: `m${index}`, kind: 'mcp.request.tools/call', to: ['tools'], payload: call() }
    : proposal(`m${index}`);

/** An agent that uses a grant while gateways are killed: some uses may be wasted, and none is added. */
export async function killWhileGrantIsUsed(kills: number, start: StartFleet): Promise<void> {
  const random = createRandom(Number(process.env['PROFFER_SEED']));
  await using fleet = await start();
  const { ws } = fleet;
  const reviewer = new PersistentClient('reviewer', ws);
  const agent = new PersistentClient('agent', ws);
  const tools = new PersistentClient('tools', ws, ({ id, kind }, client) => {
    if (kind.startsWith('mcp.request.')) client.send(answer(`answer-${id}`, id));
  });
  try {
    await until(() => [reviewer, agent, tools].every(({ isOpen }) => isOpen));
    tools.send({ id: 'n1', kind: 'mcpx.announce.tools', payload: { tools: [{ name: 'write_file' }] } });
    reviewer.send(GRANT);
    await until(() => ['n1', 'g1'].every((one) => agent.seen.some(({ id }) => id === one)));
    let sent = 0;
    for (let kill = 0; kill < kills; kill++) {
      for (const end = sent + 6; sent < end; sent++) agent.send(message(sent));
      await until(() => agent.acknowledged.size + agent.refused.size >= sent - 4);
      await fleet.killOne(random);
    }
    // While the tool is away, proposals wait and use nothing.
    await until(() => tools.isOpen);
    for (const end = sent + USES + 6; sent < end; sent++) agent.send(message(sent));
    await until(() => agent.waiting.length === 0);
    await fleet.end();
  } finally {
    for (const client of [reviewer, agent, tools]) client.stop();
  }
  const records = await fleet.read(async (journal) => {
    const found: StoredOperation[] = [];
    for await (const record of journal.feed('main', 0, { follow: false }))
      found.push(record as StoredOperation);
    return found;
  });
  const counted = records.flatMap((record) => (record.type === 'grant_used' ? [record.facts.message] : []));
  const ran = records.flatMap((record) => {
    if (record.type === 'fulfilled') return [record.facts.proposal];
    return record.type === 'said' && record.facts.grant === 'g1' ? [record.envelope.id] : [];
  });
  expect(counted).toHaveLength(USES);
  expect(records.map(({ type }) => type)).toEqual(expect.arrayContaining(['said', 'fulfilled']));
  expect(new Set(ran).size).toBe(ran.length);
  expect(counted).toEqual(expect.arrayContaining(ran));
  expect(ran.length).toBeGreaterThan(USES - 7 * kills);
  const written = new Set(records.map(({ envelope }) => envelope.id));
  expect([...agent.acknowledged.keys()].filter((id) => !written.has(id))).toEqual([]);
  expect([...agent.refused.values()].map(({ error }) => error)).toContain('capability_violation');
}
