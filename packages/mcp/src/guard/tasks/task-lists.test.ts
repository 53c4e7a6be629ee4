import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { paramsOf } from '../../json-rpc.js';
import { startSpace } from '../../testing/space.js';
import { connectRaw } from '../testing/raw-client.js';

const TOOLS = {
  tools: [{ name: 't', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
};
const NO_SUCH_METHOD = { error: { code: -32_601, message: 'Method not found' } };

/** A client of 2025-11-25 with some tasks, in front of a server that answers `tasks/list` this way. */
async function place(count: number, listed: (params: JsonObject) => JsonObject) {
  const space = await startSpace();
  const client = await connectRaw(space, {
    answer: (request) => {
      if (request['method'] === 'tools/list') return { result: TOOLS };
      return request['method'] === 'tasks/list' ? listed(paramsOf(request)) : undefined;
    },
  });
  let last = 0;
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const id = ++last;
    client.send({ id, method, params });
    return await client.answer(id);
  };
  const own: string[] = [];
  for (let at = 0; at < count; at++) {
    const { result } = await ask('tools/call', { name: 't', arguments: { at }, task: { ttl: 60_000 } });
    own.push((result as { task: { taskId: string } }).task.taskId);
  }
  const list = async (cursor?: unknown): Promise<JsonObject> =>
    await ask('tasks/list', cursor === undefined ? {} : { cursor: cursor as string });
  const seen = () =>
    client.server.got.filter(({ method }) => method === 'tasks/list').map((request) => paramsOf(request));
  return {
    own,
    list,
    seen,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await space[Symbol.asyncDispose]();
    },
  };
}

/** A page of a list: its tasks, the next cursor, or the error. */
function read({ result, error }: JsonObject) {
  const { tasks = [], nextCursor } = (result ?? {}) as { tasks?: { taskId: string }[]; nextCursor?: string };
  return { ids: tasks.map(({ taskId }) => taskId), nextCursor, error };
}

describe('task list (2025-11-25)', () => {
  it('ends, even if the server is a guard whose cursors look like ours', async () => {
    await using here = await place(1, ({ cursor }) => ({
      result: {
        tasks: [{ taskId: cursor ?? 'first' }],
        ...(cursor === undefined ? { nextCursor: 'proffer:100' } : {}),
      },
    }));
    const first = read(await here.list());
    expect(first).toMatchObject({ ids: [...here.own, 'first'], nextCursor: 'proffer:100' });
    expect(read(await here.list(first.nextCursor))).toEqual({ ids: ['proffer:100'] });
    expect(here.seen()).toEqual([{}, { cursor: 'proffer:100' }]);
  });

  it("passes another connection's cursor to the server, and explains an invalid one of ours", async () => {
    const here = await place(101, () => ({ result: { tasks: [{ taskId: 'theirs' }] } }));
    const other = await place(101, () => ({ result: { tasks: [] } }));
    const first = read(await here.list());
    expect(first.ids).toEqual(here.own.slice(0, 100));
    const foreign = read(await other.list()).nextCursor;
    expect(read(await here.list(foreign)).ids).toEqual(['theirs']);
    expect(here.seen()).toEqual([{ cursor: foreign }]);
    for (const end of ['x', '', '-1', '1e3', '0x1', '102']) {
      const { error } = await here.list(String(first.nextCursor).replace(/100$/, end));
      const message = expect.stringContaining('Ask for the list without a cursor');
      expect(error).toMatchObject({ code: -32_602, message });
    }
    expect(read(await here.list(first.nextCursor)).ids).toEqual([...here.own.slice(100), 'theirs']);
    await here[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  it('has only our tasks if the server has none, on each page', async () => {
    await using here = await place(101, () => NO_SUCH_METHOD);
    const first = read(await here.list());
    expect(first.ids).toEqual(here.own.slice(0, 100));
    expect(read(await here.list(first.nextCursor))).toEqual({ ids: here.own.slice(100) });
  });

  it("is the server's answer for other errors, or if we have no tasks", async () => {
    const error = { code: -32_603, message: 'The database is gone.' };
    await using failing = await place(1, () => ({ error }));
    expect(await failing.list()).toMatchObject({ error });
    await using without = await place(0, () => NO_SUCH_METHOD);
    expect(await without.list()).toMatchObject(NO_SUCH_METHOD);
  });
});
