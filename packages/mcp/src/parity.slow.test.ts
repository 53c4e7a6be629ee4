import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, it } from 'vitest';
import { freePort } from './testing/free-port.js';
import type { GuardMainOptions } from './testing/guard-main.js';
import { said, startGuard } from './testing/guard-process.js';
import { programs } from './testing/programs.js';
import { startSpace } from './testing/space.js';
import { everythingTranscript } from './testing/transcripts/everything-transcript.js';

const EVERYTHING = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const { execPath: node } = process;
const server = [node, EVERYTHING, 'stdio'];

let direct: Promise<readonly unknown[]>;
beforeAll(async () => {
  direct = everythingTranscript(stdio([EVERYTHING, 'stdio']));
}, 60_000);

function stdio(args: readonly string[]) {
  return new StdioClientTransport({ command: node, args: [...args], stderr: 'ignore' });
}

const guardArgs = (options: GuardMainOptions) => [programs.guard, JSON.stringify(options)];

// Most of the time goes into waiting for the server's periodic messages.
/** Invalid calls are passed through too: the tool's answers are compared like the rest. */
const MARKING = 'dev: true\nspaces: { main: { arguments: mark } }';

describe.concurrent('a guard in between changes nothing', { timeout: 150_000 }, () => {
  it('over stdio, if the rules allow everything', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    const pins = join(space.folder, 'pins.json');
    const guarded = await everythingTranscript(
      stdio(guardArgs({ url: space.url, name: 'everything', pins, server, rules: 'default: allow' })),
    );
    expect(guarded).toEqual(await direct);
  });

  it('over stdio, if every call is approved', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    await using reviewer = await space.join('reviewer');
    reviewer.onProposal(({ fulfil }) => fulfil());
    reviewer.on('error', () => {});
    const pins = join(space.folder, 'pins.json');
    const guarded = await everythingTranscript(
      stdio(guardArgs({ url: space.url, name: 'everything', pins, server, rules: 'default: ask' })),
    );
    expect(guarded).toEqual(await direct);
  });

  it('over Streamable HTTP in front of a server over stdio', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    const pins = join(space.folder, 'pins.json');
    await using guard = await startGuard({
      url: space.url,
      name: 'everything',
      pins,
      server,
      rules: 'default: allow',
      http: true,
    });
    const guarded = await everythingTranscript(new StreamableHTTPClientTransport(new URL(guard.address)));
    expect(comparable(guarded)).toEqual(comparable(await direct));
  });

  it('over Streamable HTTP in front of a server over stdio, if every call is approved', async ({
    expect,
  }) => {
    await using space = await startSpace(MARKING);
    await using reviewer = await space.join('reviewer');
    reviewer.onProposal(({ fulfil }) => fulfil());
    reviewer.on('error', () => {});
    const pins = join(space.folder, 'pins.json');
    const options = { url: space.url, name: 'everything', pins, server, rules: 'default: ask' };
    await using guard = await startGuard(options);
    const guarded = await everythingTranscript(new StreamableHTTPClientTransport(new URL(guard.address)));
    expect(comparable(guarded)).toEqual(comparable(await direct));
  });

  it('over stdio and over HTTP in front of a server over Streamable HTTP', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    const pins = join(space.folder, 'pins.json');
    // A server each, so that the runs are independent.
    await using one = await startEverything();
    await using two = await startEverything();
    await using three = await startEverything();
    const options = { url: space.url, pins, rules: 'default: allow' };
    await using guard = await startGuard({
      ...options,
      name: 'two',
      server: two.address,
      http: true,
    });
    const [straight, overStdio, overHttp] = await Promise.all([
      everythingTranscript(new StreamableHTTPClientTransport(new URL(one.address))),
      everythingTranscript(stdio(guardArgs({ ...options, name: 'one', server: three.address }))),
      everythingTranscript(new StreamableHTTPClientTransport(new URL(guard.address))),
    ]);
    expect(comparable(overStdio)).toEqual(comparable(straight));
    expect(comparable(overHttp)).toEqual(comparable(straight));
  });
});

/** The reference server over HTTP, in a separate process. */
async function startEverything(): Promise<AsyncDisposable & { readonly address: string }> {
  const port = await freePort();
  const child = spawn(node, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
  });
  await said(child, /listening/i);
  return {
    address: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/**
 * Over HTTP, what a server sends before the client has opened a stream for it is lost, with or without a
 * guard.
 */
function comparable(transcript: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(transcript).replace(',"tools changed"', '')) as unknown;
}
