import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Participant } from '@proffer/client';
import { beforeAll, describe, it } from 'vitest';
import type { GuardMainOptions } from './testing/guard-main.js';
import { startGuard, startShowcase } from './testing/guard-process.js';
import { programs } from './testing/programs.js';
import { startSpace, type TestSpace } from './testing/space.js';
import { showcaseTranscript } from './testing/transcripts/showcase-transcript.js';

const { execPath: node } = process;

let direct: readonly unknown[];
beforeAll(async () => {
  direct = await showcaseTranscript(stdio([programs.showcase]));
}, 60_000);

function stdio(args: readonly string[]) {
  return new StdioClientTransport({ command: node, args: [...args], stderr: 'ignore' });
}

const http = ({ address }: { readonly address: string }) =>
  new StreamableHTTPClientTransport(new URL(address));

function guarding(space: TestSpace, about: Partial<GuardMainOptions>): GuardMainOptions {
  const pins = join(space.folder, 'pins.json');
  const server = [node, programs.showcase];
  return { url: space.url, name: 'showcase', pins, server, rules: 'default: allow', ...about };
}

const overStdio = (options: GuardMainOptions) => stdio([programs.guard, JSON.stringify(options)]);

function approveAll(reviewer: Participant): void {
  reviewer.onProposal(({ fulfil }) => fulfil());
  reviewer.on('error', () => {});
}

/** The transcript without what differs when every call is approved. */
const withoutCancelling = (): readonly unknown[] =>
  direct.filter((line) => !(Array.isArray(line) && line[0] === 'cancel'));

/** Invalid calls are passed through too: the tool's answers are compared like the rest. */
const MARKING = 'dev: true\nspaces: { main: { arguments: mark } }';

describe.concurrent('in 2026-07-28, a guard in between changes nothing', {
  timeout: 60_000,
}, () => {
  it('over stdio, if the rules allow everything', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    expect(await showcaseTranscript(overStdio(guarding(space, {})))).toEqual(direct);
  });

  it('over stdio, if every call is approved', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    await using reviewer = await space.join('reviewer');
    approveAll(reviewer);
    const transport = overStdio(guarding(space, { rules: 'default: ask' }));
    expect(await showcaseTranscript(transport, { isAsked: true })).toEqual(withoutCancelling());
  });

  it('over Streamable HTTP in front of a server over stdio', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    await using guard = await startGuard(guarding(space, {}));
    expect(await showcaseTranscript(http(guard))).toEqual(direct);
  });

  it('over Streamable HTTP in front of a server over stdio, if every call is approved', async ({
    expect,
  }) => {
    await using space = await startSpace(MARKING);
    await using reviewer = await space.join('reviewer');
    approveAll(reviewer);
    await using guard = await startGuard(guarding(space, { rules: 'default: ask' }));
    expect(await showcaseTranscript(http(guard), { isAsked: true })).toEqual(withoutCancelling());
  });

  it('over stdio in front of a server over Streamable HTTP', async ({ expect }) => {
    await using space = await startSpace(MARKING);
    await using server = await startShowcase();
    const guarded = await showcaseTranscript(overStdio(guarding(space, { server: server.address })));
    expect(guarded).toEqual(direct);
  });

  it.for(['allow', 'ask'])(
    'over Streamable HTTP on both sides, if the rules say %s',
    async (action, { expect }) => {
      await using space = await startSpace(MARKING);
      await using reviewer = await space.join('reviewer');
      approveAll(reviewer);
      await using server = await startShowcase();
      const options = guarding(space, { server: server.address, rules: `default: ${action}` });
      await using guard = await startGuard(options);
      const isAsked = action === 'ask';
      const guarded = await showcaseTranscript(http(guard), { isAsked });
      expect(guarded).toEqual(isAsked ? withoutCancelling() : direct);
    },
  );

  it('without a guard, over stdio and over Streamable HTTP', async ({ expect }) => {
    await using server = await startShowcase();
    expect(await showcaseTranscript(http(server))).toEqual(direct);
  });
});
