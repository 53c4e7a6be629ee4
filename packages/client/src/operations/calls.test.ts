import { describe, expect, it } from 'vitest';
import type { Message } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

const forged = (correlationId: string) => ({
  kind: 'mcp.response.tools/call',
  correlationId,
  payload: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'forged' }] } },
});

describe('a request', () => {
  it('I-4: accepts an answer only from the participant it asked', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await using stranger = await join(gateway, 'stranger');
    let answer: (text: string) => void = () => {};
    const asked = new Promise<void>((resolve) => {
      void serveWriting(tools, () => {
        resolve();
        return new Promise<string>((settle) => {
          answer = settle;
        });
      }).then(() => stranger.chat('ready'));
    });
    await first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ kind }) => kind === 'chat.message',
    );
    // Nobody is named: the participant that serves it is asked.
    const result = reviewer.request('tools/call', writing('/a'), { id: 'r1' });
    await asked;
    await stranger.send(forged('r1'));
    answer('done');
    expect(await result).toEqual({ content: [{ type: 'text', text: 'done' }] });
  });

  it('I-4: is not broadcast if it names nobody', async () => {
    await using gateway = await startTestGateway();
    await using reviewer = await join(gateway, 'reviewer');
    const refused = { code: 'ambiguous_executor', details: { candidates: [] } };
    await expect(reviewer.request('tools/list')).rejects.toMatchObject(refused);
    await expect(reviewer.request('tools/call', writing('/a'))).rejects.toMatchObject(refused);
  });

  it('I-4: ignores an answer that arrives before the request was accepted', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    await using stranger = await join(gateway, 'stranger');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    const received = first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ from }) => from === 'stranger',
    );
    await stranger.send(forged('f1'));
    await received;
    const pending = { id: proposal.id, method: 'tools/call', params: writing('/a') };
    expect(await reviewer.fulfil(pending, writing('/a'), { id: 'f1' })).toEqual(wrote('/a'));
    expect(await proposal).toEqual(wrote('/a'));
    expect(calls).toHaveLength(1);
  });
});
