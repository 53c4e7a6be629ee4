import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from './testing/deciding.js';
import { programs } from './testing/programs.js';
import { startSpace, type TestSpace } from './testing/space.js';
import { taskSession } from './testing/task-session.js';

/**
 * The official client in front of a guard in front of a server that speaks both revisions, all over stdio.
 */
async function connect(space: TestSpace, mode: VersionNegotiationMode) {
  const options = {
    url: space.url,
    name: 'notes',
    pins: join(space.folder, 'pins.json'),
    server: [process.execPath, programs.notes, join(space.folder, 'notes.txt')],
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programs.guard, JSON.stringify(options)],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

const notes = ({ folder }: TestSpace): Promise<string> => readFile(join(folder, 'notes.txt'), 'utf8');

describe('official client in revision 2026-07-28', () => {
  it.each<[string, VersionNegotiationMode]>([
    ['pinned to it', { pin: '2026-07-28' }],
    ['that detects it', 'auto'],
  ])('%s reads at once, and writes once it is approved', async (_title, mode) => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using connected = await connect(space, mode);
    const { client } = connected;
    expect(client.getProtocolEra()).toBe('modern');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('proffer_wait');
    expect(await client.callTool({ name: 'read', arguments: {} })).toMatchObject({ content: [{ text: '' }] });
    const progress: unknown[] = [];
    const written = client.callTool(
      { name: 'append', arguments: { line: 'one' } },
      { onprogress: ({ message }) => void progress.push(message) },
    );
    await (await next()).fulfil();
    expect(await written).toMatchObject({ content: [{ text: 'appended one' }] });
    expect(progress[0]).toContain('reviewer');
    const refused = client.callTool({ name: 'append', arguments: { line: 'two' } });
    await (await next()).reject('unsafe');
    expect(await refused).toMatchObject({
      isError: true,
      _meta: { 'proffer/outcome': { code: 'rejected' } },
    });
    expect(await notes(space)).toBe('one\n');
  });

  it('gets a task for a call that is asked about in a task session, and its result', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using connected = await connect(space, { pin: '2026-07-28' });
    const { client, transport } = connected;
    const session = taskSession(client, transport);
    const execution = await session.callTool('append', { line: 'one' });
    const proposal = await next();
    const settled = execution.settle();
    await proposal.fulfil();
    const { outcome, lastTask } = await settled;
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'appended one' }] });
    expect(lastTask).toBeDefined();
    expect(await notes(space)).toBe('one\n');
    await session.close();
  });
});
