import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OutcomeUnknownError, ProposalNotPendingError } from '@proffer/client';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createProposalArchive } from './guard/recovery/index.js';
import { proposalsFor } from './testing/deciding.js';
import { type HttpProcess, startGuard } from './testing/guard-process.js';
import { programs } from './testing/programs.js';
import { type RawGuard, startRawGuard } from './testing/raw-guard.js';
import { startSpace, type TestSpace } from './testing/space.js';

const long = process.env['PROFFER_LONG'] !== undefined;

/** The environment of one run: where notes are written, and where the server reports its progress. */
async function place(space: TestSpace) {
  const folder = await mkdtemp(join(space.folder, 'run-'));
  const file = join(folder, 'notes.txt');
  const lines = async (): Promise<readonly string[]> =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const options = (isHeld: boolean) => ({
    url: space.url,
    name: 'notes',
    pins: join(space.folder, 'pins.json'),
    server: [process.execPath, programs.notes, file, ...(isHeld ? [folder] : [])],
  });
  const start = ({ held = false } = {}): Promise<RawGuard> => startRawGuard(options(held));
  return { folder, lines, options, start };
}

async function stateOf({ url }: TestSpace, id: string): Promise<JsonObject> {
  const archived = await createProposalArchive({ url, space: 'main', token: 'reviewer' }).find(id);
  return archived?.proposal ?? {};
}

const outcomeOf = ({ result }: JsonObject): unknown => {
  const meta = isJsonObject(result) ? result['_meta'] : undefined;
  return isJsonObject(meta) ? meta['proffer/outcome'] : undefined;
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(5);
};

describe('client that dies while waiting', () => {
  it('O-15: has its proposal withdrawn without a rejection, and nothing runs', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start, lines } = await place(space);
    await using guard = await start();
    void guard.call('append', { line: 'one' });
    const proposal = await next();
    guard.process.stdin?.destroy();
    await once(guard.process, 'exit');
    expect(await stateOf(space, proposal.id)).toMatchObject({ phase: 'withdrawn', rejections: {} });
    await expect(proposal.fulfil()).rejects.toBeInstanceOf(ProposalNotPendingError);
    expect(await lines()).toEqual([]);
  });
});

describe('killed guard', () => {
  it('O-3: resumes a waiting call after a restart, and it runs once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start, lines } = await place(space);
    await using first = await start();
    void first.call('append', { line: 'one' });
    const proposal = await next();
    await first.kill();
    await using second = await start();
    const retry = second.call('append', { line: 'one' });
    // Its tools are known again when the retry waits.
    await expect
      .poll(() => reviewer.participants.find(({ id }) => id === 'notes')?.serves['tools'])
      .toMatchObject(expect.arrayContaining([expect.objectContaining({ name: 'notes/append' })]));
    await proposal.fulfil();
    expect(await retry).toMatchObject({ result: { content: [{ text: 'appended one' }] } });
    expect(await lines()).toEqual(['one']);
  });

  it('O-23, O-46: leaves a running call allowed; the next guard reports its outcome as unknown, and never runs it again on its own', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start, lines, folder } = await place(space);
    await using first = await start({ held: true });
    void first.call('append', { line: 'one' });
    const proposal = await next();
    const fulfilled = proposal.fulfil();
    fulfilled.catch(() => {});
    await until(() => existsSync(join(folder, 'started')));
    await first.kill();
    expect(await stateOf(space, proposal.id)).toMatchObject({ phase: 'allowed' });
    writeFileSync(join(folder, 'go'), '');
    await using second = await start({ held: true });
    await expect(fulfilled).rejects.toBeInstanceOf(OutcomeUnknownError);
    const retry = await second.call('append', { line: 'one' });
    const madeAt = expect.stringMatching(/^\d{4}-/);
    expect(outcomeOf(retry)).toEqual({ code: 'unknown', proposal: proposal.id, madeAt });
    expect((await lines()).length).toBeLessThanOrEqual(1);
    expect(await stateOf(space, proposal.id)).toMatchObject({ outcome: { result: 'unknown' } });
  });

  it('I-2, O-23: has written once or the outcome is unknown, never twice, at any moment after the approval', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start, lines } = await place(space);
    const expected: string[] = [];
    let guard = await start();
    for (let round = 0; round < (long ? 60 : 4); round++) {
      const line = `line ${round}`;
      void guard.call('append', { line });
      const fulfilled = (await next()).fulfil().then(
        () => 'ok',
        (error: Error) => error.name,
      );
      await pause(2 * (round % 8));
      await guard.kill();
      guard = await start();
      const outcome = await fulfilled;
      const written = (await lines()).includes(line);
      if (written) expected.push(line);
      // Nobody is told that it ran if it did not, nor that it did not if it may have.
      expect([outcome, written]).toSatisfy(
        ([said, ran]) => said === 'OutcomeUnknownError' || (said === 'ok' && ran === true),
      );
      // A restarted guard runs nothing on its own.
      await guard.call('read', {});
      expect(await lines()).toEqual(expected);
    }
    await guard.kill();
  });
});

describe('killed guard over HTTP', () => {
  it("I-2, O-23: tells the client's next session once that the outcome of a running call is unknown", async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { folder, lines, options } = await place(space);
    const connectTo = async ({ address }: HttpProcess): Promise<Client> => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(address)));
      return client;
    };
    const append = { name: 'append', arguments: { line: 'one' } };
    await using first = await startGuard(options(true));
    const before = await connectTo(first);
    before.callTool(append).catch(() => {});
    const proposal = await next();
    const fulfilled = proposal.fulfil();
    fulfilled.catch(() => {});
    await until(() => existsSync(join(folder, 'started')));
    first.process.kill('SIGKILL');
    await before.close().catch(() => {});
    await using second = await startGuard({ ...options(true), times: { holdFor: 10 } });
    await expect(fulfilled).rejects.toBeInstanceOf(OutcomeUnknownError);
    const after = await connectTo(second);
    expect(outcomeOf({ result: (await after.callTool(append)) as JsonObject })).toMatchObject({
      code: 'unknown',
      proposal: proposal.id,
    });
    expect(outcomeOf({ result: (await after.callTool(append)) as JsonObject })).toMatchObject({
      code: 'pending',
    });
    expect(await lines()).toEqual([]);
    await after.close();
    // The server left by the killed guard finishes: it has run once after all, as nobody could know.
    writeFileSync(join(folder, 'go'), '');
    await expect.poll(lines).toEqual(['one']);
  });
});

describe('server that dies during a call', () => {
  it('O-23: leaves an unknown outcome, which caller and approver are told', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start, lines, folder } = await place(space);
    await using guard = await start({ held: true });
    const answered = guard.call('append', { line: 'one' });
    const proposal = await next();
    const fulfilled = proposal.fulfil();
    fulfilled.catch(() => {});
    await until(() => existsSync(join(folder, 'started')));
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    expect(outcomeOf(await answered)).toEqual({ code: 'unknown', proposal: proposal.id });
    await expect(fulfilled).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      why: 'executor_lost_it',
    });
    expect(await stateOf(space, proposal.id)).toMatchObject({ outcome: { result: 'unknown' } });
    expect(await lines()).toEqual([]);
  });
});

describe('load', () => {
  it('I-2: approves and runs each of 500 concurrent calls once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    reviewer.onProposal(({ fulfil }) => fulfil());
    const { start, lines } = await place(space);
    await using guard = await start();
    const wanted = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    const answers = await Promise.all(wanted.map((line) => guard.call('append', { line })));
    for (const [index, answer] of answers.entries()) {
      expect(answer).toMatchObject({ result: { content: [{ text: `appended line ${index}` }] } });
    }
    expect([...(await lines())].sort()).toEqual([...wanted].sort());
  });

  it('delivers a result of 50 MB completely to the caller, and a note of it to the space', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { start } = await place(space);
    await using guard = await start();
    const size = 50 * 1_048_576;
    const answered = guard.call('large', { size });
    const noted = await (await next()).fulfil();
    const { result } = await answered;
    const [block] = (result as { content: readonly { text: string }[] }).content;
    expect(block?.text.length).toBe(size);
    expect(noted).toMatchObject({
      content: [{ text: expect.stringContaining('it goes only to the caller') }],
    });
  });
});
