import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Participant, textIn } from '../node.js';
import type { CallToolResult, ParamsOf } from '../participation-node.js';
import { startTestGateway } from '../testing/gateway.js';
import { join } from '../testing/joining.js';

describe('the methods of MCP', () => {
  it('have typed params and results', () => {
    const calls = (participant: Participant) => ({
      call: () => participant.propose('tools/call', { name: 'greet', arguments: { who: 'Ada' } }),
      read: () => participant.request('resources/read', { uri: 'file:///a' }),
      other: (method: string) => participant.propose(method, { anything: 1 }),
    });
    type Calls = ReturnType<typeof calls>;
    expectTypeOf<Awaited<ReturnType<Calls['call']>>>().toEqualTypeOf<CallToolResult>();
    expectTypeOf<Awaited<ReturnType<Calls['read']>>['contents'][number]['uri']>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<typeof textIn>[0]['content']>().toEqualTypeOf<CallToolResult['content']>();
    expectTypeOf<{ readonly tool: string }>().not.toExtend<ParamsOf<'tools/call'>>();
    expectTypeOf<{ readonly anything: number }>().toExtend<ParamsOf<'x/y'>>();
  });

  it("O-11: a handler for one tool gets its arguments, and a result's text can be read", async () => {
    await using gateway = await startTestGateway();
    await using tools = await join(gateway, 'tools');
    await using reviewer = await join(gateway, 'reviewer');
    await using agent = await join(gateway, 'agent');
    await tools.serve([
      { name: 'greet', handler: ({ who }) => `Hello, ${JSON.stringify(who)}!` },
      { name: 'ping', handler: () => 'pong' },
    ]);
    reviewer.onProposal(
      ({ params, fulfil, reject }) => (params.arguments['who'] === undefined ? reject('invalid') : fulfil()),
      { tool: 'greet' },
    );
    reviewer.onProposal(({ fulfil }) => fulfil(), { tool: 'ping' });
    const greeted = await agent.propose('tools/call', { name: 'greet', arguments: { who: 'Ada' } });
    expect(textIn(greeted)).toBe('Hello, "Ada"!');
    expect(textIn(await agent.propose('tools/call', { name: 'ping' }))).toBe('pong');
    await expect(agent.propose('tools/call', { name: 'greet' })).rejects.toThrow(/invalid/);
  });
});
