import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

const WRITE = 'mcp.request.tools/call:write_file';

describe('grants', () => {
  it('O-41: an agent is granted two writes, and no more', async () => {
    await using gateway = await startTestGateway();
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    // Its welcome says who serves what.
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const write = (path: string) => agent.request('tools/call', writing(path));
    await expect(write('/0')).rejects.toMatchObject({ code: 'capability_violation' });
    const granted = await reviewer.grant('agent', [WRITE], { uses: 2, ttl: 60_000, reason: 'a release' });
    expect(await write('/1')).toEqual(wrote('/1'));
    expect(await write('/2')).toEqual(wrote('/2'));
    await expect(write('/3')).rejects.toMatchObject({ code: 'capability_violation' });
    expect(calls).toHaveLength(2);
    await expect(reviewer.revoke(granted.id)).rejects.toMatchObject({ code: 'unknown_grant' });
  });

  it('O-27, O-41, O-44: the welcome lists grants in force; revoking ends one; an agent cannot grant', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const until = new Date(Date.now() + 60_000);
    const { id } = await reviewer.grant('agent', [WRITE], { until });
    await using agent = await join(gateway, 'agent');
    expect(agent.welcome.grants).toMatchObject([
      { id, granter: 'reviewer', to: 'agent', capabilities: [WRITE], until: until.getTime() },
    ]);
    expect(await agent.request('tools/call', writing('/1'))).toEqual(wrote('/1'));
    await reviewer.revoke(id, 'done');
    await expect(agent.request('tools/call', writing('/2'))).rejects.toMatchObject({
      code: 'capability_violation',
    });
    await expect(agent.grant('tools', ['chat.message'])).rejects.toMatchObject({
      code: 'capability_violation',
    });
  });
});
