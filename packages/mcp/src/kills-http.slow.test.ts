import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { proposalsFor } from './testing/deciding.js';
import { startGuard } from './testing/guard-process.js';
import { modernRequests } from './testing/http-requests.js';
import { programs } from './testing/programs.js';
import { startSpace } from './testing/space.js';

it('O-15, I-1: a killed guard over HTTP (2026-07-28) keeps a task for its ttl, announces its tools again, and runs it when approved', async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const file = join(space.folder, 'notes.txt');
  const options = {
    url: space.url,
    name: 'notes',
    pins: join(space.folder, 'pins.json'),
    server: [process.execPath, programs.notes, file],
    // Much shorter than the task was promised.
    times: { window: 100 },
  };
  const first = await startGuard(options);
  const call = { name: 'append', arguments: { line: 'one' } };
  const { taskId = '', ttlMs } = await modernRequests(new URL(first.address))('tools/call', call);
  expect(ttlMs).toBe(3_600_000);
  const proposal = await next();
  const killed = once(first.process, 'close');
  first.process.kill('SIGKILL');
  await killed;
  await using second = await startGuard(options);
  // Nobody has polled the task since: the guard runs it on its own, with tools it announced on its own.
  await proposal.fulfil();
  expect(await readFile(file, 'utf8')).toBe('one\n');
  expect(await modernRequests(new URL(second.address))('tasks/get', { taskId })).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'appended one' }] },
  });
});
