import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import type { Participant } from '@proffer/client';
import type { ParamsOf } from '@proffer/client/participation';
import { describe, expect, it } from 'vitest';
import { createUpstreamHttp } from '../channel/upstream-http.js';
import { freePort } from '../testing/free-port.js';
import { endHttp, listenHttp, startForgetful } from '../testing/servers/forgetful-server.js';
import { createLibraryServer } from '../testing/servers/library-server.js';
import { startSpace } from '../testing/space.js';
import { killEverything as kill, startEverything } from '../testing/transcripts/everything-http.js';
import { Bridge } from './bridge.js';

const PATIENT = { timeout: 20_000 };

/** A bridge to whatever is at this port, and a requester. */
async function bridged(port: number) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const logged: string[] = [];
  const close = async (): Promise<void> => {
    await reviewer.close();
    await space[Symbol.asyncDispose]();
  };
  const bridge = await Bridge.start({
    participant: await space.join('tools'),
    openServer: () => createUpstreamHttp({ url: new URL(`http://127.0.0.1:${port}/mcp`) }),
    isRemote: true,
    log: (line) => void logged.push(line),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    logged,
    call: (...[params, more]: [ParamsOf<'tools/call'>, Parameters<Participant['request']>[2]?]) =>
      reviewer.request('tools/call', params, { to: 'tools', ...more }),
    served: () => JSON.stringify(reviewer.participants.find(({ id }) => id === 'tools')?.serves),
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await close();
    },
  };
}

const echo = { name: 'echo', arguments: { message: 'hello' } };

describe('bridge to a server over HTTP', () => {
  it('O-23: reconnects to a restarted server with sessions, and reports the outcome of running calls as unknown', async () => {
    const port = await freePort();
    const first = await startEverything(port);
    await using here = await bridged(port);
    expect(await here.call(echo)).toMatchObject({ content: [{ text: 'Echo: hello' }] });
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 60 } };
    const told = here.call(long).catch((error: unknown) => error);
    // Answered after it, so it has started.
    await here.call(echo);
    await kill(first);
    expect(await told).toMatchObject({ name: 'OutcomeUnknownError', why: 'executor_lost_it' });
    await expect.poll(() => here.logged.join(), PATIENT).toContain('Retrying in 0.5 s.');
    await expect(here.call(echo)).rejects.toThrow('nothing was run');
    await expect.poll(() => here.logged.join(), PATIENT).toContain('cannot be reached (ECONNREFUSED)');
    await using second = Object.assign(await startEverything(port), {
      [Symbol.asyncDispose]: () => kill(second),
    });
    await expect
      .poll(() => here.call(echo).catch(() => 'not yet'), PATIENT)
      .toMatchObject({ content: [{ text: 'Echo: hello' }] });
  });

  it('loses one call, which certainly did not run, if the server forgot its sessions and reports no changes', async () => {
    const forgetful = await startForgetful();
    await using here = await bridged(forgetful.port);
    expect(await here.call({ name: 'run' })).toMatchObject({ content: [] });
    forgetful.forget();
    await expect(here.call({ name: 'run' })).rejects.toMatchObject({
      name: 'OperationFailedError',
      message: expect.stringContaining('answered with HTTP status 404. Nothing was run; try again.'),
    });
    await expect
      .poll(() => here.call({ name: 'run' }).catch(() => 'not yet'), PATIENT)
      .toEqual({ content: [] });
    expect(forgetful.ran()).toBe(2);
    await forgetful.close();
  });

  it('O-26: announces a replaced server of 2026-07-28 again', async () => {
    const port = await freePort();
    const first = await startLibrary(port);
    await using here = await bridged(port);
    expect(here.served()).not.toContain('"extra"');
    await first.close();
    const second = await startLibrary(port, (server) => {
      server.registerTool('extra', {}, () => ({ content: [] }));
    });
    await expect.poll(here.served, PATIENT).toContain('"extra"');
    expect(await here.call({ name: 'extra' })).toMatchObject({ content: [] });
    await second.close();
  });

  it('fails the first time if there is no server, and says where it looked', async () => {
    const port = await freePort();
    await expect(bridged(port)).rejects.toThrow(`http://127.0.0.1:${port} cannot be reached (ECONNREFUSED).`);
  });
});

/** The library server, 2026-07-28 only. */
async function startLibrary(port: number, change: (server: McpServer) => void = () => {}) {
  const handler = createMcpHandler(
    () => {
      const server = createLibraryServer();
      change(server);
      return server;
    },
    { legacy: 'reject' },
  );
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => {
    void answer(request as Parameters<typeof answer>[0], response);
  });
  await listenHttp(http, port);
  return { close: () => endHttp(http) };
}
