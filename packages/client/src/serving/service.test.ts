import { describe, expect, it } from 'vitest';
import { ANSWERED_LATER, type Message, OperationFailedError, OutcomeUnknownError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { startRelay } from '../testing/relay.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

describe('tools served by a participant', () => {
  it('O-26: are announced, listed and called by those who may', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools);
    const definition = { name: 'write_file', description: 'Writes a file.', inputSchema: { type: 'object' } };
    const listed = await reviewer.request('tools/list', undefined, { to: 'tools' });
    expect(listed).toEqual({ tools: [definition] });
    expect(reviewer.participants).toMatchObject([{ id: 'tools', serves: { tools: [definition] } }]);
    expect(await reviewer.request('tools/call', writing('/a'), { to: 'tools' })).toEqual(wrote('/a'));
  });

  it('O-26: are announced with their annotations', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const annotations = { title: 'Look', readOnlyHint: true, openWorldHint: false };
    await tools.serve([{ name: 'look', annotations, handler: () => 'seen' }]);
    const definition = { name: 'look', inputSchema: { type: 'object' }, annotations };
    expect(await reviewer.request('tools/list', undefined, { to: 'tools' })).toEqual({ tools: [definition] });
    expect(reviewer.participants).toMatchObject([{ id: 'tools', serves: { tools: [definition] } }]);
  });

  it('O-14: may be answered later, by a message of their own', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const asked: string[] = [];
    const handler = (_args: object, { id }: { readonly id: string }): typeof ANSWERED_LATER => {
      asked.push(id);
      return ANSWERED_LATER;
    };
    await tools.serve([{ name: 'slow', handler }]);
    const answered = reviewer.request('tools/call', { name: 'slow', arguments: {} }, { to: 'tools' });
    await expect.poll(() => asked).toHaveLength(1);
    const [request = ''] = asked;
    await tools.send({
      kind: 'mcp.response.tools/call',
      to: ['reviewer'],
      correlationId: request,
      payload: { jsonrpc: '2.0', id: request, result: { content: [], later: true } },
    });
    expect(await answered).toEqual({ content: [], later: true });
  });

  it('O-26: and other requests it answers, each once, are announced, and errors are returned', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const asked: string[] = [];
    const prompts = [{ name: 'hello' }];
    await tools.answer({
      prompts,
      handler: ({ method, params }, { from }) => {
        asked.push(`${from} ${method} ${JSON.stringify(params)}`);
        if (method === 'prompts/get') return { messages: [] };
        throw new OperationFailedError(-32_601, `No ${method} here.`);
      },
    });
    await expect.poll(() => reviewer.participants).toMatchObject([{ id: 'tools', serves: { prompts } }]);
    const hello = { name: 'hello' };
    expect(await reviewer.request('prompts/get', hello, { to: 'tools' })).toEqual({ messages: [] });
    await expect(reviewer.request('roots/list', {}, { to: 'tools' })).rejects.toMatchObject({
      code: -32_601,
      message: 'No roots/list here.',
    });
    await reviewer.request('notifications/initialized', {}, { to: 'tools' });
    await reviewer.request('prompts/get', hello, { to: 'tools' });
    expect(asked).toEqual([
      'reviewer prompts/get {"name":"hello"}',
      'reviewer roots/list {}',
      'reviewer prompts/get {"name":"hello"}',
    ]);
  });

  it('O-12: cannot be served by a second connection of the participant while the first serves them, so nothing runs twice', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    const ran: string[] = [];
    const tool = (who: string) => [{ name: 'pay', handler: () => void ran.push(who) }];
    await using one = await join(gateway, 'tools');
    await one.serve(tool('one'));
    await using two = await join(gateway, 'tools');
    await expect(two.serve(tool('two'))).rejects.toMatchObject({ code: 'already_serving' });
    await reviewer.request('tools/call', { name: 'pay', arguments: {} }, { to: 'tools' });
    expect(ran).toEqual(['one']);
    await one.close();
    await expect
      .poll(() =>
        two.serve(tool('two')).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('served');
    await reviewer.request('tools/call', { name: 'pay', arguments: {} }, { to: 'tools' });
    expect(ran).toEqual(['one', 'two']);
  });

  it('O-23: answer requests made since the name was reserved', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await tools.claim();
    const asked = first<Message>(
      (tell) => tools.on('message', tell),
      ({ kind }) => kind.startsWith('mcp.request.'),
    );
    const answered = reviewer.request('tools/call', writing('/a'), { to: 'tools' });
    await asked;
    const calls = await serveWriting(tools);
    expect(await answered).toEqual(wrote('/a'));
    expect(calls).toEqual([{ path: '/a' }]);
  });

  it('O-12: a name reserved for serving is not given to another connection', async () => {
    await using gateway = await startTestGateway();
    await using one = await join(gateway, 'tools');
    await using other = await join(gateway, 'tools');
    await one.claim();
    await expect(other.claim()).rejects.toMatchObject({ code: 'already_serving' });
  });

  it('answer with an error if a tool is unknown or fails', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await serveWriting(tools, () => {
      throw new Error('disk full');
    });
    const unknown = reviewer.request('tools/call', { name: 'fly' }, { to: 'tools' });
    await expect(unknown).rejects.toMatchObject({ name: 'OperationFailedError', code: -32_602 });
    const broken = reviewer.request('tools/call', writing('/a'), { to: 'tools' });
    await expect(broken).rejects.toMatchObject({ code: -32_603, message: 'disk full' });
  });

  it('O-26: are announced again after a lost connection', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(relay, 'tools');
    await serveWriting(tools);
    const announced = first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ kind, payload }) => kind === 'mcpx.announce.tools' && JSON.stringify(payload).includes('write_file'),
    );
    relay.cut();
    await announced;
  });

  it('O-3, I-2: run once for a request that arrived while the network was cut', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(relay, 'tools');
    const calls = await serveWriting(tools);
    relay.muteGateway();
    const asked = reviewer.request('tools/call', writing('/a'), { to: 'tools' });
    await reviewer.chat('asked');
    relay.cut();
    expect(await asked).toEqual(wrote('/a'));
    relay.cut();
    expect(await reviewer.request('tools/call', writing('/b'), { to: 'tools' })).toEqual(wrote('/b'));
    expect(calls).toEqual([{ path: '/a' }, { path: '/b' }]);
  });

  it('O-23: an executor that leaves without an answer leaves the outcome unknown, and does not run it later', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(relay, 'tools', { retry: { delay: 6_000, maxDelay: 6_000 } });
    const calls = await serveWriting(tools);
    relay.muteGateway();
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const fulfilled = reviewer.fulfil({ id: proposal.id, method: 'tools/call', params: writing('/a') });
    await first(proposal.onStatus, ({ type }) => type === 'fulfilled');
    relay.cut();
    const [mine, theirs] = await Promise.allSettled([proposal, fulfilled]);
    expect(mine).toMatchObject({ reason: expect.any(OutcomeUnknownError) });
    expect(mine).toMatchObject({
      reason: { why: 'executor_left', executor: 'tools', proposal: proposal.id },
    });
    expect(theirs).toMatchObject({ reason: { name: 'OutcomeUnknownError' } });
    await first((tell) => tools.on('welcome', tell));
    expect(await reviewer.request('tools/call', writing('/b'), { to: 'tools' })).toEqual(wrote('/b'));
    expect(calls).toEqual([{ path: '/b' }]);
  });

  it('do not run for requests made before the participant joined', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    const old = reviewer.request('tools/call', writing('/a'), { to: 'tools', id: 'old' });
    old.catch(() => {});
    await reviewer.chat('asked');
    await using tools = await join(gateway, 'tools', { after: 0 });
    const calls = await serveWriting(tools);
    await reviewer.request('tools/call', writing('/b'), { to: 'tools' });
    expect(calls).toEqual([{ path: '/b' }]);
  });
});
