import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/peers/http.js';
import { answerNext, digestIn, idOf, proposalIn, scriptOf, serveEcho } from '../testing/peers/script.js';
import { startTestGateway } from '../testing/test-gateway.js';

const POLICY = `
dev: true
capabilities: { all: ['*'], calls: ['mcp.request.tools/call:echo', mcpx.approve.proposal] }
participants:
  ann: { spaces: { main: all } }
  bob: { spaces: { main: all } }
  cleo: { spaces: { main: calls } }
  bot: { spaces: { main: all } }
  agent: { spaces: { main: all }, works_for: ann }
spaces:
  main:
    review:
      - { name: strict, from: [ann, bob], not_requester: true,
          call: { kind: mcp.request.tools/call, payload: { params: { arguments: { text: strict } } } } }
      - { name: echo, call: 'mcp.request.tools/call:echo', approvals: 2, from: [ann, bob],
          agents: { from: [bot], per_hour: 2, within: { text: { one_of: [hello] } } } }
`;

const delegation = (http: string, who: string, body: JsonObject) =>
  ask(`${http}/spaces/main/delegation`, who, { method: 'POST', body: JSON.stringify(body) });
const HOUR = 3_600_000;

describe('deciding together, over HTTP', () => {
  it('O-34, O-44: an approver delegates its part, for all reviews or one, and takes it back', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, show } = scriptOf(gateway.http);
    const proposed = await propose('agent', { tool: 'echo', arguments: { text: 'other' } });
    const [id, digest] = [idOf(proposed), digestIn(proposed)];
    const approve = (who: string) => send(who, `/${id}/approve`, { digest });
    expect((await approve('cleo')).code).toBe('not_approver');
    const until = new Date(Date.now() + HOUR).toISOString();
    expect((await delegation(gateway.http, 'cleo', { to: 'bot', until })).code).toBe('capability_violation');
    expect((await delegation(gateway.http, 'ann', { to: 'cleo' })).body['details']).toMatchObject({
      field: 'until',
    });
    expect(await delegation(gateway.http, 'ann', { to: 'cleo', until })).toMatchObject({
      status: 200,
      body: { status: 'accepted', seq: expect.any(Number) },
    });
    expect(proposalIn(await approve('cleo'))).toMatchObject({
      progress: { given: 1, needed: 2, missing: ['bob'] },
      approvals: [{ by: 'cleo', onBehalfOf: { by: 'ann' } }],
    });
    const inForce = async () => (await ask(`${gateway.http}/spaces/main/delegations`, 'bob')).body;
    expect(await inForce()).toEqual({
      delegations: [{ by: 'ann', to: 'cleo', until: Date.parse(until) }],
      named: true,
    });
    await delegation(gateway.http, 'ann', { revoke: true });
    expect(await inForce()).toEqual({ delegations: [], named: true });
    const one = await send('bob', `/${id}/delegate`, { to: 'cleo', until });
    expect(proposalIn(one)['delegations']).toMatchObject([{ by: 'bob', to: 'cleo' }]);
    expect((await approve('cleo')).code).toBe('already_approved');
    const approving = approve('bob');
    await answerNext(tools);
    expect((await approving).status).toBe(200);
    expect(proposalIn(await show(id))['phase']).toMatch(/fulfilled|settled/);
  });

  it('O-30: the person an agent works for may not approve its proposals if the entry says so', async () => {
    await using gateway = await startTestGateway(POLICY);
    await using tools = await serveEcho(gateway.ws);
    const { propose, send } = scriptOf(gateway.http);
    const proposed = await propose('agent', { tool: 'echo', arguments: { text: 'strict' } });
    const approve = (who: string) => send(who, `/${idOf(proposed)}/approve`, { digest: digestIn(proposed) });
    expect(await approve('ann')).toMatchObject({ status: 403, code: 'requester_excluded' });
    const approving = approve('bob');
    await answerNext(tools);
    expect((await approving).status).toBe(200);
  });

  it('O-35: skips what changed since it was shown, and reports it separately', async () => {
    await using gateway = await startTestGateway();
    await using tools = await serveEcho(gateway.ws);
    const { propose, send, show } = scriptOf(gateway.http);
    const made = await Promise.all([propose('agent'), propose('agent')]);
    const views = await Promise.all(made.map(async (each) => proposalIn(await show(idOf(each)))));
    await send('steward', `/${idOf(made[0])}/reject`, { reason: 'unsafe' });
    const answers = await Promise.all(
      views.map((view) => {
        const { name: executor, definition } = view['wouldRun'] as JsonObject;
        const seen = { version: view['version'], executor, definition } as JsonObject;
        const body = { digest: view['digest'] as string, batch: 'b1', seen };
        return send('reviewer', `/${view['id'] as string}/approve`, body);
      }),
    );
    expect(answers.map(({ status, code }) => code ?? status)).toEqual(['changed_since_shown', 200]);
    expect(answers[0]?.body['details']).toMatchObject({ changed: ['objection'], rejectedBy: ['steward'] });
    await answerNext(tools);
  });
});
