import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing } from '../testing/tools.js';

const POLICY = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all } }
  bob: { spaces: { main: all } }
spaces:
  main:
    review:
      - { name: writes, call: 'mcp.request.tools/call:write_file', from: [ann], escalate: [{ after: 1s, to: [bob] }] }
`;

describe('who is asked', () => {
  it('O-33: others, if nobody decides in time, and then they may decide', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using agent = await join(gateway, 'agent');
    await using bob = await join(gateway, 'bob');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    expect(await first(proposal.onStatus, ({ type }) => type === 'escalated')).toMatchObject({ to: ['bob'] });
    await bob.approve({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await proposal;
    expect(proposal.fulfilment).toMatchObject({ by: 'bob' });
  });

  it('O-38: those who could fulfil it; if nobody could, the proposer is told at once', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const nobody = agent.propose('tools/call', writing('/a'), { targeting: { capable: true } });
    await first(nobody.onStatus, ({ type }) => type === 'nobody_capable');
    await nobody.withdraw();
    await expect(nobody).rejects.toMatchObject({ name: 'ProposalWithdrawnError' });
    await using reviewer = await join(gateway, 'reviewer');
    const asked = new Promise((resolve) => {
      reviewer.onProposal(({ id, reject }) => {
        resolve(id);
        return reject('busy');
      });
    });
    const somebody = agent.propose('tools/call', writing('/b'), { targeting: { capable: true } });
    expect(await asked).toBe(somebody.id);
    await somebody.withdraw();
    await expect(somebody).rejects.toMatchObject({ name: 'ProposalWithdrawnError' });
  });
});

describe('what is asked', () => {
  it("O-39: must match the tool's schema: the error says where, what was expected and what was found", async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using tools = await join(gateway, 'tools');
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
    await tools.serve([{ name: 'write_file', inputSchema, handler: () => 'written' }]);
    const params = { name: 'write_file', arguments: { path: 7 } };
    await expect(agent.propose('tools/call', params)).rejects.toMatchObject({
      code: 'invalid_arguments',
      details: { path: '/arguments/path', found: '7' },
    });
  });

  it('O-43: is visible only to those it is addressed to', async () => {
    await using gateway = await startTestGateway('dev: true\nspaces: { main: { visibility: addressed } }');
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using other = await join(gateway, 'other');
    const proposal = agent.propose('tools/call', writing('/a'), { to: 'reviewer' });
    await proposal.accepted;
    await expect.poll(() => reviewer.pending.map(({ id }) => id)).toEqual([proposal.id]);
    // A later broadcast has arrived, and this has not.
    const open = agent.propose('tools/call', writing('/b'));
    await expect.poll(() => other.pending.map(({ id }) => id)).toEqual([open.id]);
    await expect(other.status(proposal.id, 'considering')).rejects.toMatchObject({
      code: 'unknown_proposal',
    });
    await Promise.all([open.withdraw(), proposal.withdraw()]);
    await expect(open).rejects.toMatchObject({ name: 'ProposalWithdrawnError' });
    await expect(proposal).rejects.toMatchObject({ name: 'ProposalWithdrawnError' });
  });
});
