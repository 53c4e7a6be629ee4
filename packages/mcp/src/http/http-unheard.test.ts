import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlePrograms, type Programs } from '../testing/bundle.js';
import { proposalsFor } from '../testing/deciding.js';
import { startNotesFront } from '../testing/notes-front.js';
import { startSpace } from '../testing/space.js';

let programs: Programs;
beforeAll(async () => {
  programs = await bundlePrograms();
}, 60_000);
afterAll(() => programs[Symbol.asyncDispose]());

it('I-2, O-23: an outcome does not count as heard when its client has ended the session', async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const waitsIn = await mkdtemp(join(space.folder, 'run-'));
  const noted: string[] = [];
  const deliveries = { load: () => new Set<string>(), note: (id: string) => void noted.push(id), flush() {} };
  await using front = await startNotesFront(programs, space, { deliveries, waitsIn });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(front.address);
  await client.connect(transport);
  client.callTool({ name: 'append', arguments: { line: 'one' } }).catch(() => {});
  const fulfilled = (await next()).fulfil();
  fulfilled.catch(() => {});
  await expect.poll(() => readdir(waitsIn)).toContain('started');
  await transport.terminateSession();
  await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
  expect(noted).toEqual([]);
  await writeFile(join(waitsIn, 'go'), '');
  await expect.poll(front.running).toBe(0);
  await client.close();
});
