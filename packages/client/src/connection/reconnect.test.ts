import { createToken } from '@proffer/gateway';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionClosedError, type Message, OutboxFullError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { startRelay } from '../testing/relay.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';

const texts = (messages: readonly Message[]): unknown[] =>
  messages.filter(({ kind }) => kind === 'chat.message').map(({ payload }) => payload['text']);

describe('a restarting gateway', () => {
  it('O-22, I-2: a proposal continues where it was after the restart', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools);
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;

    const lost = Promise.all(
      [agent, reviewer, tools].map((one) => first((tell) => one.on('disconnected', tell))),
    );
    await gateway.stop();
    await lost;
    // Sent while nobody is there to accept it.
    const said = agent.chat('still here');
    await gateway.start();

    reviewer.onProposal(({ fulfil }) => fulfil());
    expect(await proposal).toEqual(wrote('/a'));
    expect(await said).toMatchObject({ status: 'accepted' });
    expect(calls).toEqual([{ path: '/a' }]);
  });

  it('I-1, I-2: killed while the tool runs, the result still arrives, once', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(gateway, 'tools');
    const calls = await serveWriting(tools, async () => {
      await gateway.stop();
      await gateway.start();
      return 'done';
    });
    reviewer.onProposal(({ fulfil }) => fulfil());
    expect(await agent.propose('tools/call', writing('/a'))).toEqual({
      content: [{ type: 'text', text: 'done' }],
    });
    expect(calls).toHaveLength(1);
  });
});

describe('a cut network', () => {
  it('I-6, O-4: nothing is missed or repeated', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using agent = await join(gateway, 'agent');
    await using listener = await join(relay, 'listener');
    const received: Message[] = [];
    listener.on('message', (message) => received.push(message));
    const all = first<Message>(
      (tell) => listener.on('message', tell),
      ({ payload }) => payload['text'] === '299',
    );
    for (let count = 0; count < 300; count++) {
      await agent.chat(String(count));
      if (count % 100 === 50) relay.cut();
    }
    await all;
    expect(texts(received)).toEqual(Array.from({ length: 300 }, (_, index) => String(index)));
    expect(relay.made).toBeGreaterThan(1);
  });

  it('O-3, I-6: a message accepted without our knowledge does not take effect twice', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using reviewer = await join(gateway, 'reviewer');
    await using agent = await join(relay, 'agent');
    const received: Message[] = [];
    const receivedByReviewer: Message[] = [];
    agent.on('message', (message) => received.push(message));
    reviewer.on('message', (message) => receivedByReviewer.push(message));

    relay.muteGateway();
    const proposal = agent.propose('tools/call', writing('/a'), { id: 'p1' });
    const said = [1, 2, 3].map((count) => agent.chat(String(count)));
    await first<Message>(
      (tell) => reviewer.on('message', tell),
      ({ payload }) => payload['text'] === '3',
    );
    for (let count = 4; count < 7; count++) await reviewer.chat(String(count));
    relay.cut();

    await proposal.accepted;
    await Promise.all(said);
    const last = first<Message>(
      (tell) => agent.on('message', tell),
      ({ payload }) => payload['text'] === '8',
    );
    await agent.chat('7');
    await reviewer.chat('8');
    await last;
    expect(
      texts(received)
        .map(Number)
        .sort((one, other) => one - other),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(texts(receivedByReviewer)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(receivedByReviewer.filter(({ id }) => id === 'p1')).toHaveLength(1);
    await proposal.withdraw();
  });

  it('O-3: a tool runs once and its answer arrives, even if the first was cut off', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    await using tools = await join(relay, 'tools');
    const calls = await serveWriting(tools, () => {
      relay.cut();
      return 'done';
    });
    reviewer.onProposal(({ fulfil }) => fulfil());
    await expect(agent.propose('tools/call', writing('/a'))).resolves.toMatchObject({
      content: [{ text: 'done' }],
    });
    expect(calls).toHaveLength(1);
  });

  it('I-7: what exceeds the outbox is refused, and the rest arrives', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using agent = await join(relay, 'agent', { outbox: { maxMessages: 3 } });
    relay.muteGateway();
    const said = ['1', '2', '3'].map((text) => agent.chat(text));
    await expect(agent.chat('4')).rejects.toBeInstanceOf(OutboxFullError);
    relay.cut();
    for (const receipt of await Promise.all(said)) expect(receipt.status).toBe('accepted');
    await expect(agent.chat('5')).resolves.toMatchObject({ status: 'accepted' });
  });
});

describe('an overloaded gateway', () => {
  it('I-7: messages beyond the rate are sent again, and arrive once', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { messages_per_participant: 50/s }');
    await using agent = await join(gateway, 'agent');
    const received: Message[] = [];
    agent.on('message', (message) => received.push(message));
    const said = Array.from({ length: 80 }, (_, index) => agent.chat(String(index)));
    for (const receipt of await Promise.all(said)) expect(receipt.status).toBe('accepted');
    expect(new Set(texts(received)).size).toBe(80);
    expect(texts(received)).toHaveLength(80);
  });
});

describe('a connection that has ended', () => {
  const known = (hash: string): string =>
    `participants: { ann: { tokens: ['${hash}'], spaces: { main: ['*'] } } }`;

  it('I-4: is not retried with an invalid token', async () => {
    await using gateway = await startTestGateway(known(createToken().hash));
    const error = await join(gateway, 'wrong').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionClosedError);
    expect(error).toMatchObject({ reason: 'refused', code: 'unauthenticated' });
  });

  it('I-4: when the token is revoked', async () => {
    const { token, hash } = createToken();
    await using gateway = await startTestGateway(known(hash));
    await using ann = await join(gateway, token);
    const { closed } = ann;
    expect(await ann.chat('hello')).toMatchObject({ status: 'accepted' });
    gateway.reload(known(createToken().hash));
    await expect(ann.chat('still me')).rejects.toMatchObject({ reason: 'credential_revoked' });
    await expect(closed).resolves.toMatchObject({ reason: 'credential_revoked' });
  });

  it('I-4: reports an unhandled end as an error event, or else on the console and by the exit code', async () => {
    const { token, hash } = createToken();
    await using gateway = await startTestGateway(known(hash));
    await using listening = await join(gateway, token);
    await using silent = await join(gateway, token);
    await using leaving = await join(gateway, token);
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { exitCode } = process;
    process.exitCode = undefined;
    try {
      await leaving.close();
      silent.onProposal(() => {});
      const told = first((tell) => listening.on('error', tell));
      gateway.reload(known(createToken().hash));
      expect(await told).toMatchObject({ reason: 'credential_revoked' });
      await expect.poll(() => written.mock.calls).toEqual([['proffer: The token is no longer valid.']]);
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = exitCode;
      written.mockRestore();
    }
  });

  it('in an unknown space', async () => {
    await using gateway = await startTestGateway();
    const joined = join(gateway, 'agent', { space: 'nowhere' });
    await expect(joined).rejects.toMatchObject({ reason: 'refused', code: expect.stringMatching(/space/) });
  });

  it('is aborted by its signal and its timeout', async () => {
    const nobody = { url: 'ws://127.0.0.1:9' };
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(join(nobody, 'agent', { signal })).rejects.toThrow('enough');
    const controller = new AbortController();
    const joining = join(nobody, 'agent', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(joining).rejects.toThrow('enough');
    await expect(join(nobody, 'agent', { timeout: 50 })).rejects.toMatchObject({ reason: 'timeout' });
    await expect(join({ url: 'not an address' }, 'agent')).rejects.toBeInstanceOf(TypeError);
  });

  it('fails everything that waits for it', async () => {
    await using gateway = await startTestGateway();
    const agent = await join(gateway, 'agent');
    const proposal = agent.propose('tools/call', writing('/a'));
    await proposal.accepted;
    await agent.close();
    await expect(proposal).rejects.toMatchObject({ name: 'ConnectionClosedError', reason: 'closed' });
    await expect(agent.chat('too late')).rejects.toBeInstanceOf(ConnectionClosedError);
    await expect(agent.closed).resolves.toMatchObject({ reason: 'closed' });
  });

  it('O-5: ends for good after too many unreadable messages', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { bad_messages_per_connection: 1/min }');
    await using agent = await join(gateway, 'agent');
    const deep = JSON.parse(`${'[1,'.repeat(80)}1${']'.repeat(80)}`) as never;
    const bad = [1, 2, 3].map(() => agent.send({ kind: 'my.kind', payload: { deep } }).catch(() => {}));
    await expect(agent.closed).resolves.toMatchObject({ reason: 'too_many_errors' });
    await Promise.all(bad);
  });
});

describe('an unreadable message', () => {
  it('O-5: fails if it is too large or not text, and the others go through', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    const before = agent.chat('before');
    const large = agent.chat('x'.repeat(1_500_000));
    await expect(agent.chat('half of a pair: \ud83d')).rejects.toMatchObject({ code: 'invalid_field' });
    const after = agent.chat('after');
    await expect(large).rejects.toMatchObject({ code: 'too_large' });
    expect(await before).toMatchObject({ status: 'accepted' });
    expect(await after).toMatchObject({ status: 'accepted' });
  });
});
