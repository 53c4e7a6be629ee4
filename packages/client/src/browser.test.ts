import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type * as client from './browser.js';
import { startTestGateway } from './testing/gateway.js';
import { join } from './testing/joining.js';
import { serveWriting, writing, wrote } from './testing/tools.js';

/** The package as a browser gets it: found by its name and its export conditions. */
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

/** What browsers have and the client uses; nothing of Node. */
const HOST = {
  WebSocket,
  AbortController,
  TextEncoder,
  URL,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  queueMicrotask,
  setTimeout,
};

it('the browser build has nothing of Node in it, and works with what a browser has', async () => {
  const code = await bundle();
  expect(code).not.toMatch(/node:|require\(/);
  expect(code).not.toContain('perMessageDeflate');
  const context = createContext({ ...HOST });
  runInContext(code, context);
  const { connect, ConnectionClosedError } = runInContext('client', context) as typeof client;

  await using gateway = await startTestGateway();
  await using reviewer = await join(gateway, 'reviewer');
  await using tools = await join(gateway, 'tools');
  await serveWriting(tools);
  reviewer.onProposal(({ fulfil }) => fulfil());
  // Not every browser has Symbol.asyncDispose yet; this one has not.
  const agent = await connect({ url: gateway.url, token: 'ägent', space: 'main' });
  expect(agent.name).toBe('ägent');
  expect(await agent.propose('tools/call', writing('/a'))).toEqual(wrote('/a'));
  await agent.close();

  const refused = connect({ url: gateway.url, token: 'agent', space: 'nowhere' });
  const error = await refused.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionClosedError);
  expect(error).toMatchObject({ reason: 'refused', code: expect.stringMatching(/space/) });
});
