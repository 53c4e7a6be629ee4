import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess, type InProcess, type InProcessOptions } from '../../testing/in-process.js';
import { createNotedCalls } from '../../testing/noted-calls.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { OUTCOME_KEY } from '../answers.js';
import { createProposalArchive } from './proposal-archive.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };
/** Callers are told at once to come back, so that an outcome may find nobody there. */
const IMPATIENT = { holdFor: 1 };

const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');
const outcomeOf = (result: { readonly _meta?: object | undefined }): unknown =>
  (result['_meta'] as Record<string, unknown> | undefined)?.[OUTCOME_KEY];

/** Ends a guard as if it died: it sends nothing and withdraws nothing. */
const lose = ({ participant }: InProcess): Promise<void> => participant.close();

/** A server that reports when it starts to write, and writes when told to. */
function stoppable() {
  let begin = (): void => {};
  let goOn = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const beforeWriting = (): Promise<void> => {
    begin();
    return going;
  };
  return { notes: { beforeWriting }, begun, goOn: () => goOn() };
}

async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  const { journal, heard } = createNotedCalls();
  return {
    space,
    archive,
    heard,
    next: proposalsFor(reviewer),
    phaseOf: async (id: string) => (await archive.find(id))?.proposal['phase'],
    start: (options: InProcessOptions = {}) => guardInProcess(space, { journal, ...options }),
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('running call', () => {
  it('I-2, O-23: does not count as delivered if its client closed the connection, and is not run again', async () => {
    await using here = await place();
    const server = stoppable();
    const first = await here.start({ notes: server.notes });
    first.client.callTool(APPEND).catch(() => {});
    const proposal = await here.next();
    const fulfilled = proposal.fulfil();
    await server.begun;
    await first.client.close();
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    expect(here.heard()).toEqual([]);
    await lose(first);
    await using second = await here.start();
    const retry = await second.client.callTool(APPEND);
    expect(outcomeOf(retry)).toMatchObject({ code: 'unknown', proposal: proposal.id });
    expect(textOf(retry)).toMatch(/^Not asked again: /);
    expect(here.heard()).toEqual([proposal.id]);
    expect(await written(here.space)).toBe('');
  });

  it("O-23: delivers the server's result to its caller, even if the space is lost meanwhile", async () => {
    await using here = await place();
    const server = stoppable();
    await using guarded = await here.start({ notes: server.notes });
    const answered = guarded.client.callTool(APPEND);
    const proposal = await here.next();
    proposal.fulfil().catch(() => {});
    await server.begun;
    // As if its token were revoked: it does not come back.
    await guarded.participant.close();
    server.goOn();
    expect(await answered).toMatchObject({ content: [{ text: 'appended one' }] });
    expect(here.heard()).toEqual([proposal.id]);
  });
});

describe('call looked up', () => {
  it('by its proposal is not joined by the same call, even after the one who looked has left', async () => {
    await using here = await place();
    const first = await here.start();
    const answered = first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    await fulfil();
    await answered;
    await lose(first);
    let looked = (): void => {};
    const hasLooked = new Promise<void>((resolve) => {
      looked = resolve;
    });
    const leaving = new AbortController();
    const find = (sought: string) => {
      leaving.abort();
      return here.archive.find(sought).finally(looked);
    };
    await using second = await here.start({ ...IMPATIENT, archive: { ...here.archive, find } });
    const wait = { name: 'proffer_wait', arguments: { proposal: id } };
    const waiting = second.client.callTool(wait, { signal: leaving.signal });
    await expect(waiting).rejects.toBeDefined();
    await hasLooked;
    await second.client.listTools();
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
  });
});

describe('after a restart', () => {
  it('a result that was too large to keep is reported as lost, and the call as run', async () => {
    await using here = await place();
    const large = { name: 'large', arguments: { size: 300_000 } };
    const first = await here.start(IMPATIENT);
    await first.client.callTool(large);
    const proposal = await here.next();
    expect(await proposal.fulfil()).toMatchObject({
      content: [{ text: expect.stringContaining('it goes only to the caller') }],
    });
    await lose(first);
    await using second = await here.start();
    const retry = await second.client.callTool(large);
    expect(retry.isError).toBe(true);
    expect(outcomeOf(retry)).toMatchObject({ code: 'lost', proposal: proposal.id });
    expect(textOf(retry)).toMatch(
      /^Not asked again: [^]*Lost: "?large"? was approved and ran\. Its result was too long to keep/,
    );
    expect(textOf(retry)).not.toContain('caller alone');
  });

  it('O-15: a call that was approved when nobody waited any more is asked again', async () => {
    await using here = await place();
    const clock = createTestClock(Date.now());
    const first = await here.start({ clock });
    const leaving = new AbortController();
    const gone = first.client.callTool(APPEND, { signal: leaving.signal });
    const proposal = await here.next();
    leaving.abort('Request timed out');
    await expect(gone).rejects.toBeDefined();
    await first.client.listTools();
    const fulfilled = proposal.fulfil();
    await expect.poll(() => here.phaseOf(proposal.id)).toBe('allowed');
    clock.pass(120_000);
    await expect(fulfilled).rejects.toThrow('nobody is waiting for this call any longer');
    await lose(first);
    await using second = await here.start(IMPATIENT);
    const wait = { name: 'proffer_wait', arguments: { proposal: proposal.id } };
    expect(outcomeOf(await second.client.callTool(wait))).toMatchObject({ code: 'withdrawn' });
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
  });

  it('a call that was changed into something the rules deny is asked again', async () => {
    await using here = await place();
    const decide: InProcessOptions['decide'] = ({ arguments: { line } }) => ({
      action: line === 'bad' ? 'deny' : 'ask',
      reason: 'Some lines are bad.',
      version: '1',
    });
    const first = await here.start({ ...IMPATIENT, decide });
    await first.client.callTool(APPEND);
    const proposal = await here.next();
    const changed = { name: 'notes/append', arguments: { line: 'bad' } };
    await expect(proposal.fulfil(changed)).rejects.toThrow('the rules do not allow the changed call');
    await lose(first);
    await using second = await here.start({ ...IMPATIENT, decide });
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
    expect(await written(here.space)).toBe('');
  });
});
