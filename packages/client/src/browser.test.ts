import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import type { ProposalProjection } from '@proffer/core/negotiation';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type * as client from './browser.js';
import type * as negotiation from './negotiation/browser.js';
import { devAgent, httpTransport, MacpClient, ProposalSession } from './negotiation/node.js';
import { startTestGateway } from './testing/gateway.js';
import { join } from './testing/joining.js';
import { serveWriting, writing, wrote } from './testing/tools.js';

/** The package as a browser gets it: resolved by name and export conditions. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    resolve: { conditions: ['@proffer/source', 'browser'] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL('testing/browser-entry.ts', import.meta.url)),
        formats: ['iife'],
        name: 'client',
      },
    },
  });
  const [output] = [result].flat() as Rolldown.RolldownOutput[];
  const [chunk, ...others] = output?.output ?? [];
  expect(others).toEqual([]);
  expect(chunk?.type === 'chunk' ? [chunk.imports, chunk.dynamicImports] : []).toEqual([[], []]);
  return chunk?.type === 'chunk' ? chunk.code : '';
}

/** The browser globals that the client uses; nothing of Node. */
const HOST = {
  WebSocket,
  AbortController,
  TextDecoder,
  TextEncoder,
  URL,
  atob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  queueMicrotask,
  setTimeout,
};

/** The client in an environment with only browser globals. */
function enter(code: string, host: Partial<typeof HOST> = {}): typeof client & typeof negotiation {
  const context = createContext({ ...HOST, ...host });
  runInContext(code, context);
  return runInContext('client', context) as typeof client & typeof negotiation;
}

it('the browser build contains nothing of Node, and works with browser globals', async () => {
  const code = await bundle();
  expect(code).not.toMatch(/node:|require\(/);
  expect(code).not.toContain('perMessageDeflate');
  const { connect, ConnectionClosedError } = enter(code);

  await using gateway = await startTestGateway();
  await using reviewer = await join(gateway, 'reviewer');
  await using tools = await join(gateway, 'tools');
  await serveWriting(tools);
  reviewer.onProposal(({ fulfil }) => fulfil());
  // Not every browser has Symbol.asyncDispose yet; this one does not.
  const agent = await connect({ url: gateway.url, token: 'ägent', space: 'main' });
  expect(agent.name).toBe('ägent');
  expect(await agent.propose('tools/call', writing('/a'))).toEqual(wrote('/a'));
  await agent.close();

  const refused = connect({ url: gateway.url, token: 'agent', space: 'nowhere' });
  const error = await refused.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionClosedError);
  expect(error).toMatchObject({ reason: 'refused', code: expect.stringMatching(/space/) });
});

it('N-12: a negotiation reaches the same state in the browser as in Node', async () => {
  const opened: string[] = [];
  const asked: string[] = [];
  class CountedSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      opened.push(new URL(url).pathname);
    }
  }
  const countedFetch: typeof fetch = (input, init) => {
    asked.push(new Request(input).url);
    return fetch(input, init);
  };
  const host = { WebSocket: CountedSocket as typeof WebSocket, fetch: countedFetch };
  const browser = enter(await bundle(), host);
  await using gateway = await startTestGateway();
  const url = `http://127.0.0.1:${gateway.port}`;
  const transport = browser.httpTransport({ url });
  const buyer = new browser.MacpClient({ transport, auth: browser.devAgent('buyer') });
  const session = new browser.ProposalSession(buyer);
  await session.start({ intent: 'a price', participants: ['buyer', 'seller'], ttlMs: 60_000 });
  await using seller = new MacpClient({ transport: httpTransport({ url }), auth: devAgent('seller') });
  await using other = await ProposalSession.join(seller, session.sessionId);
  await session.propose('p1', 'Ten', { summary: 'zehn €', details: { price: 10 } });
  await other.refresh();
  await other.counterPropose('p2', 'p1', 'Twelve');
  await session.refresh();
  await session.accept('p2');
  await session.reject('p2', { reason: 'after all' });
  await other.accept('p2');
  await session.refresh();
  await session.commit({ action: 'sold', authorityScope: 'shop', reason: 'both agree' });
  for await (const _ of other) {
    // Until the end.
  }
  expect(JSON.stringify(session.projection.transcript)).toBe(JSON.stringify(other.projection.transcript));
  expect(session.projection.phase).toBe('Committed');
  for (const read of [
    (one: ProposalProjection) => [...one.proposals],
    (one: ProposalProjection) => [...one.accepts],
    (one: ProposalProjection) => [one.phase, one.acceptedProposal(), one.rejections, one.isConverged()],
  ]) {
    expect(JSON.stringify(read(session.projection))).toBe(JSON.stringify(read(other.projection)));
  }
  await expect(session.propose('p3', 'Late')).rejects.toMatchObject({ code: 'SESSION_NOT_OPEN' });
  // Everything is sent and followed over one WebSocket.
  expect(opened).toEqual(['/macp/ws']);
  expect(asked.filter((address) => /envelope/.test(address))).toEqual([]);
  await buyer.close();
  const wrong = browser.httpTransport({ url });
  const stranger = new browser.MacpClient({ transport: wrong, auth: { token: '', sender: 'nobody' } });
  await expect(stranger.signal({ type: 'hello' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
