import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { OUTCOME_KEY } from '../answers.js';

const append = (line: string) => ({ name: 'append', arguments: { line } });
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

describe('call that needs approval', () => {
  it('runs when it is approved, and a read-only call runs at once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    expect(textOf(await guarded.client.callTool({ name: 'read', arguments: {} }))).toBe('');
    const result = guarded.client.callTool(append('one'));
    const proposal = await next();
    expect(proposal).toMatchObject({
      proposer: 'notes',
      params: { name: 'notes/append', arguments: { line: 'one' } },
    });
    expect(await written(space)).toBe('');
    await proposal.fulfil();
    expect(await result).toEqual({ content: [{ type: 'text', text: 'appended one' }] });
    expect(await written(space)).toBe('one\n');
  });

  it('O-13: reports what was run first if the approver changed the arguments', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const result = guarded.client.callTool(append('rm'));
    await (await next()).fulfil({ name: 'notes/append', arguments: { line: 'ls' } });
    const { content } = await result;
    expect(textOf({ content })).toContain('Not run as asked: reviewer changed the arguments');
    expect(textOf({ content })).toContain('line: "rm" → "ls"');
    expect(content).toMatchObject([{}, { text: 'appended ls' }]);
    expect(await written(space)).toBe('ls\n');
  });

  it('O-17: a rejection is a completed result with its reason', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const result = guarded.client.callTool(append('one'));
    const proposal = await next();
    await proposal.reject('unsafe', 'not on a Monday');
    expect(await result).toMatchObject({
      isError: true,
      content: [
        { text: 'Rejected: "append" was not run. reviewer rejected this call: “Unsafe: not on a Monday”.' },
      ],
      _meta: { [OUTCOME_KEY]: { code: 'rejected', proposal: proposal.id } },
    });
    expect(await written(space)).toBe('');
  });

  it('O-19: an expiry is a completed result, and not a rejection', async () => {
    await using space = await startSpace();
    await using guarded = await guardInProcess(space, { ttl: 50 });
    const result = await guarded.client.callTool(append('one'));
    expect(result).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'expired' } } });
    expect(textOf(result)).toContain('It was not decided in time');
  });

  it('O-15: a withdrawal is a completed result, and not a rejection', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const result = guarded.client.callTool(append('one'));
    const { id } = await next();
    await guarded.participant.withdraw(id, 'no longer needed');
    expect(await result).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'withdrawn' } } });
  });

  it('O-3: joins the waiting call when it is repeated', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const other = await guarded.connect();
    const results = [guarded.client.callTool(append('one')), other.callTool(append('one'))];
    const proposal = await next();
    await guarded.client.listTools();
    await other.listTools();
    await proposal.fulfil();
    for (const result of results) expect(textOf(await result)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
    const again = guarded.client.callTool(append('one'));
    const second = await next();
    expect(second.id).not.toBe(proposal.id);
    await second.fulfil();
    await again;
    expect(await written(space)).toBe('one\none\n');
  });

  it('a client without progress is told after 50 s what to wait on, and gets the result there', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    await using guarded = await guardInProcess(space, { clock });
    const { tools } = await guarded.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('proffer_wait');
    const first = guarded.client.callTool(append('one'));
    const proposal = await next();
    clock.pass(50_000);
    const answer = await first;
    expect(answer.isError).toBeUndefined();
    expect(textOf(answer)).toContain(`{"proposal": "${proposal.id}"}`);
    expect(textOf(answer)).toContain('It is waiting for approval by reviewer. 59 min left.');
    // It may take longer than the window: the caller is still connected.
    clock.pass(600_000);
    const waited = guarded.client.callTool({ name: 'proffer_wait', arguments: { proposal: proposal.id } });
    await guarded.client.listTools();
    await proposal.fulfil();
    expect(textOf(await waited)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });

  it('keeps the result of an approval without a waiting caller for those who wait or ask again', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    await using guarded = await guardInProcess(space, { clock });
    const first = guarded.client.callTool(append('one'));
    const proposal = await next();
    clock.pass(50_000);
    await first;
    await proposal.fulfil();
    expect(textOf(await guarded.client.callTool(append('one')))).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });

  it('a tool with structured output reports with isError that it has not run, as clients require', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    await using guarded = await guardInProcess(space, { clock });
    await guarded.client.listTools();
    const first = guarded.client.callTool({ name: 'count', arguments: { text: 'abc' } });
    await next();
    clock.pass(50_000);
    expect(await first).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'pending' } } });
  });

  it('a client with progress gets it at once and every 10 s, with increasing values, also while it runs', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    // A client whose timeout is extended by progress may be held longer.
    await using guarded = await guardInProcess(space, { clock, holdFor: 3_600_000 });
    const told: { progress: number; message?: string | undefined }[] = [];
    const result = guarded.client.callTool(
      { name: 'count', arguments: { text: 'abc' } },
      { onprogress: ({ progress, message }) => void told.push({ progress, message }) },
    );
    const proposal = await next();
    await expect.poll(() => told.length).toBe(1);
    clock.pass(30_000);
    await expect.poll(() => told.length).toBe(4);
    clock.pass(3_000_000);
    await guarded.client.listTools();
    await proposal.fulfil();
    expect(await result).toMatchObject({ structuredContent: { count: 3 } });
    const values = told.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((one, other) => one - other));
    expect(told[0]?.message).toBe('It is waiting for approval by reviewer. 60 min left.');
    expect(told.filter(({ message }) => message === undefined)).toHaveLength(3);
  });

  it('a client with progress is told what to wait on before its timeout, which progress may not extend', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    await using guarded = await guardInProcess(space, { clock, holdFor: 30_000 });
    const told: number[] = [];
    const result = guarded.client.callTool(
      { name: 'count', arguments: { text: 'abc' } },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    const proposal = await next();
    await expect.poll(() => told.length).toBe(1);
    clock.pass(30_000);
    expect(await result).toMatchObject({
      _meta: { [OUTCOME_KEY]: { code: 'pending', proposal: proposal.id } },
    });
    const said = told.length;
    clock.pass(60_000);
    const wait = { name: 'proffer_wait', arguments: { proposal: proposal.id } };
    const waiting = guarded.client.callTool(wait);
    await proposal.fulfil();
    expect(await waiting).toMatchObject({ structuredContent: { count: 3 } });
    expect(told).toHaveLength(said);
  });

  it('a wait for an unknown call says so', async () => {
    await using space = await startSpace();
    await using guarded = await guardInProcess(space);
    const result = await guarded.client.callTool({
      name: 'proffer_wait',
      arguments: { proposal: 'nothing' },
    });
    expect(result).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'unknown_proposal' } } });
  });
});
