import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createTransportChannel } from '../channel/transport-channel.js';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import { programs } from '../testing/programs.js';
import { createNotesServer } from '../testing/servers/notes-server.js';
import { startSpace } from '../testing/space.js';
import { createTestClock } from '../testing/test-clock.js';
import { Bridge, restartDelay } from './bridge.js';

/** The notes server in this process, new each time it is opened. */
function inMemory(file: string, started: McpServer[]) {
  return () => {
    const [back, toServer] = InMemoryTransport.createLinkedPair();
    const server = createNotesServer({ file });
    started.push(server);
    void server.connect(toServer);
    return createTransportChannel(back);
  };
}

describe('MCP server as an executor', () => {
  it('O-26: is announced, and runs requested and approved calls', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    await using agent = await space.join('agent');
    const participant = await space.join('tools');
    const bridge = await Bridge.start({
      participant,
      openServer: inMemory(join(space.folder, 'notes.txt'), []),
    });
    const call = { name: 'append', arguments: { line: 'one' } };
    expect(await reviewer.request('tools/call', call, { to: 'tools' })).toMatchObject({
      content: [{ text: 'appended one' }],
    });
    reviewer.onProposal(({ fulfil }) => fulfil());
    const proposed = agent.propose('tools/call', { name: 'append', arguments: { line: 'two' } });
    expect(await proposed).toMatchObject({ content: [{ text: 'appended two' }] });
    expect(await readFile(join(space.folder, 'notes.txt'), 'utf8')).toBe('one\ntwo\n');
    await bridge.close();
  });

  it('announces again what the server reports as changed', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const participant = await space.join('tools');
    const started: McpServer[] = [];
    const clock = createTestClock();
    const bridge = await Bridge.start({
      participant,
      clock,
      openServer: inMemory(join(space.folder, 'notes.txt'), started),
    });
    const served = () => {
      clock.pass(1_000);
      return JSON.stringify(reviewer.participants.find(({ id }) => id === 'tools')?.serves);
    };
    expect(served()).toContain('"append"');
    const extra = started[0]?.registerTool('extra', {}, () => ({ content: [] }));
    await expect.poll(served, { timeout: 10_000 }).toContain('"extra"');
    extra?.remove();
    await expect.poll(served, { timeout: 10_000 }).not.toContain('"extra"');
    expect(served()).toContain('"append"');
    await bridge.close();
  });

  it('restarts a server that died, and reports the outcome of running calls as unknown', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const participant = await space.join('tools');
    const file = join(space.folder, 'notes.txt');
    const openServer = () =>
      createUpstreamStdio({ command: process.execPath, args: [programs.notes, file, space.folder] });
    const bridge = await Bridge.start({ participant, openServer });
    const call = { name: 'append', arguments: { line: 'one' } };
    const told = reviewer.request('tools/call', call, { to: 'tools' }).catch((error: unknown) => error);
    await expect.poll(() => existsSync(join(space.folder, 'started')), { timeout: 10_000 }).toBe(true);
    const pid = readFileSync(join(space.folder, 'pid'), 'utf8');
    process.kill(Number(pid), 'SIGKILL');
    expect(await told).toMatchObject({ name: 'OutcomeUnknownError', why: 'executor_lost_it' });
    rmSync(join(space.folder, 'started'));
    writeFileSync(join(space.folder, 'go'), '');
    await expect
      .poll(() => reviewer.request('tools/call', call, { to: 'tools' }).catch(() => 'not yet'), {
        timeout: 20_000,
      })
      .toMatchObject({ content: [{ text: 'appended one' }] });
    expect(readFileSync(join(space.folder, 'pid'), 'utf8')).not.toBe(pid);
    expect(await readFile(file, 'utf8')).toBe('one\n');
    await bridge.close();
  });

  it('restarts a server that exits before it is ready once each time, never two at once', async () => {
    await using space = await startSpace();
    const clock = createTestClock();
    const started: McpServer[] = [];
    const notes = inMemory(join(space.folder, 'notes.txt'), started);
    let opened = 0;
    const told: string[] = [];
    const bridge = await Bridge.start({
      participant: await space.join('tools'),
      clock,
      openServer: () =>
        opened++ === 0 ? notes() : createUpstreamStdio({ command: process.execPath, args: ['-e', ''] }),
      log: (line) => void told.push(line),
    });
    await started[0]?.close();
    for (const [restarts, wait] of [500, 1_000, 2_000].entries()) {
      await expect.poll(() => told.length, { timeout: 20_000 }).toBe(restarts + 1);
      expect(told.at(-1)).toContain(`Restarting it in ${wait / 1_000} s`);
      clock.pass(wait);
      expect(opened).toBe(restarts + 2);
    }
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(4);
    await bridge.close();
    clock.pass(60_000);
    expect(opened).toBe(4);
  });

  it('doubles the restart delay each time, up to a minute', () => {
    expect([0, 1, 2, 7, 100].map(restartDelay)).toEqual([500, 1_000, 2_000, 60_000, 60_000]);
  });
});
