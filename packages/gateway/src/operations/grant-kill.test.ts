import { expect, it } from 'vitest';
import type { StoredOperation } from '../delivery/index.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { startChild } from '../testing/kill/child.js';
import { answer, call, proposal } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { PersistentClient } from '../testing/peers/persistent-client.js';

const USES = 30;
const KILLS = process.env['PROFFER_LONG'] === undefined ? 3 : 30;
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

it(`O-41, I-1: killed ${KILLS} times while a grant is used, it wastes uses at most, and adds none`, async () => {
  await using folder = await temporaryFolder();
  let child = await startChild({ folder: folder.path });
  const { port, ws } = child;
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
    for (let kill = 0; kill < KILLS; kill++) {
      for (const end = sent + 6; sent < end; sent++) agent.send(message(sent));
      await until(() => agent.acknowledged.size >= sent - 4);
      await child.kill();
      child = await startChild({ folder: folder.path, port });
    }
    for (const end = sent + USES + 6; sent < end; sent++) agent.send(message(sent));
    await until(() => agent.waiting.length === 0);
  } finally {
    for (const client of [reviewer, agent, tools]) client.stop();
    await child.kill();
  }
  const journal = await openJournal(folder.path);
  const records: StoredOperation[] = [];
  for await (const record of journal.feed('main', 0, { follow: false }))
    records.push(record as StoredOperation);
  await journal.close();
  const counted = records.flatMap((record) => (record.type === 'grant_used' ? [record.facts.message] : []));
  const ran = records.flatMap((record) => {
    if (record.type === 'fulfilled') return [record.facts.proposal];
    return record.type === 'said' && record.facts.grant === 'g1' ? [record.envelope.id] : [];
  });
  expect(counted).toHaveLength(USES);
  expect(records.map(({ type }) => type)).toEqual(expect.arrayContaining(['said', 'fulfilled']));
  expect(new Set(ran).size).toBe(ran.length);
  expect(counted).toEqual(expect.arrayContaining(ran));
  expect(ran.length).toBeGreaterThan(USES - 7 * KILLS);
  const written = new Set(records.map(({ envelope }) => envelope.id));
  expect([...agent.acknowledged.keys()].filter((id) => !written.has(id))).toEqual([]);
  expect([...agent.refused.values()].map(({ error }) => error)).toContain('capability_violation');
});
