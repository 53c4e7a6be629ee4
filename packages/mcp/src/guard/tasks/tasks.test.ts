import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import {
  isCreateTaskResultV2,
  isDetailedTaskV2,
  withTaskCapabilityV2,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createTransportChannel } from '../../channel/transport-channel.js';
import { proposalsFor } from '../../testing/deciding.js';
import { guardInProcess, type InProcess } from '../../testing/in-process.js';
import { createNotedCalls } from '../../testing/noted-calls.js';
import { createNotesServer } from '../../testing/servers/notes-server.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createProposalArchive } from '../recovery/index.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A client of 2026-07-28 that declares tasks with every request. */
async function connectModern({ guard }: InProcess, { folder }: TestSpace) {
  const [client, front] = InMemoryTransport.createLinkedPair();
  const [back, toServer] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createNotesServer({ file: join(folder, 'notes.txt') }), { transport: toServer });
  await guard.connect(createTransportChannel(front), createTransportChannel(back));
  const waiting = new Map<number, (answer: JsonObject) => void>();
  Object.assign(client, {
    onmessage: (message: JsonObject) => waiting.get(Number(message['id']))?.(message),
  });
  await client.start();
  let id = 0;
  return async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    const own = ++id;
    const answered = new Promise<JsonObject>((resolve) => waiting.set(own, resolve));
    const declared = withTaskCapabilityV2({ ...params, _meta: ENVELOPE } as never);
    await client.send({ jsonrpc: '2.0', id: own, method, params: declared } as never);
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result as JsonObject;
  };
}

const call = { name: 'append', arguments: { line: 'one' } };

describe('caller that accepts tasks', () => {
  it('learns of tasks from server/discover, and gets one, which ends with the result', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const ask = await connectModern(guarded, space);
    expect(await ask('server/discover')).toMatchObject({
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    });
    const task = await ask('tools/call', call);
    expect(isCreateTaskResultV2(task)).toBe(true);
    const proposal = await next();
    expect(task).toMatchObject({ resultType: 'task', taskId: proposal.id, status: 'working' });
    const pending = await ask('tasks/get', { taskId: proposal.id });
    expect(isDetailedTaskV2(pending)).toBe(true);
    expect(pending).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('reviewer') });
    await proposal.fulfil();
    const done = await ask('tasks/get', { taskId: proposal.id });
    expect(isDetailedTaskV2(done)).toBe(true);
    expect(done).toMatchObject({ status: 'completed', result: { content: [{ text: 'appended one' }] } });
    // A server without tasks does not know the method; the guard has tasks, and none with these ids.
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      for (const taskId of ['nobody-knows', `${proposal.id}0`])
        await expect(ask(method, { taskId }), `${method} ${taskId}`).rejects.toThrow('"code":-32602');
  });

  it('O-17: sees a rejection as a completed task', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const ask = await connectModern(guarded, space);
    await ask('tools/call', call);
    const proposal = await next();
    await proposal.reject('disagree');
    await expect
      .poll(() => ask('tasks/get', { taskId: proposal.id }))
      .toMatchObject({
        status: 'completed',
        result: { isError: true, resultType: 'complete' },
      });
  });

  it('O-15: cancels it with tasks/cancel', async () => {
    await using space = await startSpace();
    await using guarded = await guardInProcess(space);
    const ask = await connectModern(guarded, space);
    const { taskId = '' } = await ask('tools/call', call);
    await ask('tasks/cancel', { taskId });
    await expect.poll(() => ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  });

  it('O-15: cancels it even if it was approved while nobody was there, right after asking for it', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
    const before = await guardInProcess(space);
    const { taskId = '' } = await (await connectModern(before, space))('tools/call', call);
    const proposal = await next();
    await before.guard.close();
    await using after = await guardInProcess(space);
    const ask = await connectModern(after, space);
    await ask('tools/list');
    const fulfilled = proposal.fulfil();
    await expect.poll(async () => (await archive.find(proposal.id))?.proposal['phase']).toBe('allowed');
    await Promise.all([ask('tasks/get', { taskId }), ask('tasks/cancel', { taskId })]);
    await expect(fulfilled).rejects.toThrow(
      'nobody is waiting for this call any longer (the caller cancelled the call).',
    );
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  });

  it('I-1: finds its task after a restart of the guard, pending or finished', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const before = await guardInProcess(space);
    const ask = await connectModern(before, space);
    const { taskId = '' } = await ask('tools/call', call);
    const proposal = await next();
    await before.guard.close();
    const between = await guardInProcess(space);
    const askAgain = await connectModern(between, space);
    expect(await askAgain('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    await askAgain('tools/list');
    await proposal.fulfil();
    await between.guard.close();
    await using after = await guardInProcess(space);
    const askLast = await connectModern(after, space);
    expect(await askLast('tasks/get', { taskId })).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'appended one' }] },
    });
  });

  it('does not get the old outcome for the next such call after cancelling a finished task of an earlier run', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { journal, heard } = createNotedCalls();
    const before = await guardInProcess(space, { journal });
    const ask = await connectModern(before, space);
    const { taskId = '' } = await ask('tools/call', call);
    await (await next()).fulfil();
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'completed' });
    expect(heard()).toEqual([taskId]);
    await before.guard.close();
    await using after = await guardInProcess(space, { journal });
    const askAgain = await connectModern(after, space);
    await askAgain('tasks/cancel', { taskId });
    const again = await askAgain('tools/call', call);
    expect(again).toMatchObject({ resultType: 'task', status: 'working' });
    expect(again['taskId']).not.toBe(taskId);
  });
});
