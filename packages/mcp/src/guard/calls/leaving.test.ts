import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProposalNotPendingError } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createProposalArchive } from '../recovery/index.js';

/** The reason a client gives when it cancels a call that it may repeat. */
const TIMED_OUT = 'Request timed out';

const append = (line: string) => ({ name: 'append', arguments: { line } });
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

/** The current state of a proposal. */
async function stateOf({ url }: TestSpace, id: string) {
  const archived = await createProposalArchive({ url, space: 'main', token: 'reviewer' }).find(id);
  return archived?.proposal;
}

/** A waiting guarded call whose caller has timed out. */
async function callAndLeave() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const clock = createTestClock();
  const guarded = await guardInProcess(space, { clock });
  const leaving = new AbortController();
  const first = guarded.client.callTool(append('one'), { signal: leaving.signal });
  const proposal = await next();
  leaving.abort(TIMED_OUT);
  await expect(first).rejects.toBeDefined();
  await guarded.client.listTools();
  return {
    space,
    reviewer,
    next,
    clock,
    guarded,
    proposal,
    async [Symbol.asyncDispose]() {
      await guarded[Symbol.asyncDispose]();
      await reviewer[Symbol.asyncDispose]();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('departing caller', () => {
  it('may return within the window: its retry joins the waiting call', async () => {
    await using left = await callAndLeave();
    const { space, clock, guarded, proposal } = left;
    clock.pass(119_000);
    const retry = guarded.client.callTool(append('one'));
    await guarded.client.listTools();
    clock.pass(2_000);
    await proposal.fulfil();
    expect(textOf(await retry)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });

  it('O-15: has its proposal withdrawn if it does not return, which is no rejection, and nothing runs', async () => {
    await using left = await callAndLeave();
    const { space, clock, proposal } = left;
    clock.pass(120_000);
    await expect.poll(async () => (await stateOf(space, proposal.id))?.['phase']).toBe('withdrawn');
    expect(await stateOf(space, proposal.id)).toMatchObject({
      rejections: {},
      ending: { why: 'withdrawn', reason: 'the caller disconnected' },
    });
    await expect(proposal.fulfil()).rejects.toBeInstanceOf(ProposalNotPendingError);
    expect(await written(space)).toBe('');
  });

  it('is reported to reviewers as away, and as back when it returns', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    await using guarded = await guardInProcess(space, { clock });
    const leaving = new AbortController();
    const first = guarded.client.callTool(append('one'), { signal: leaving.signal });
    const { id } = await next();
    const told = async () => (await stateOf(space, id))?.['statuses'];
    leaving.abort(TIMED_OUT);
    await expect(first).rejects.toBeDefined();
    await guarded.client.listTools();
    expect(await told()).toEqual({});
    clock.pass(2_000);
    const text = expect.stringContaining('is disconnected. This call runs only if the caller makes it again');
    await expect.poll(told).toMatchObject({ notes: { status: 'unable', message: text } });
    const again = guarded.client.callTool(append('one'));
    again.catch(() => {});
    await expect.poll(told).toMatchObject({ notes: { status: 'queued' } });
  });

  it('O-15: has the proposal withdrawn at once when it cancels, and it can no longer be approved', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space, { clock: createTestClock() });
    const leaving = new AbortController();
    const first = guarded.client.callTool(append('one'), { signal: leaving.signal });
    const proposal = await next();
    leaving.abort();
    await expect(first).rejects.toBeDefined();
    await expect.poll(async () => (await stateOf(space, proposal.id))?.['phase']).toBe('withdrawn');
    expect(await stateOf(space, proposal.id)).toMatchObject({
      rejections: {},
      ending: { why: 'withdrawn', reason: 'the caller cancelled the call' },
    });
    await expect(proposal.fulfil()).rejects.toThrow('is no longer pending: withdrawn by "notes"');
    expect(await written(space)).toBe('');
    // The same call made again is a new one, with its own decision.
    const again = guarded.client.callTool(append('one'));
    const second = await next();
    expect(second.id).not.toBe(proposal.id);
    await second.fulfil();
    expect(textOf(await again)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });

  it('leaves a cancelled call to others who wait for the same', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space, { clock: createTestClock() });
    const leaving = new AbortController();
    const first = guarded.client.callTool(append('one'), { signal: leaving.signal });
    const proposal = await next();
    const other = guarded.client.callTool(append('one'));
    await guarded.client.listTools();
    leaving.abort();
    await expect(first).rejects.toBeDefined();
    await guarded.client.listTools();
    await proposal.fulfil();
    expect(textOf(await other)).toBe('appended one');
  });

  it('finds an approval given in between waiting, and the call runs when it is back', async () => {
    await using left = await callAndLeave();
    const { space, reviewer, guarded, proposal } = left;
    const fulfilled = proposal.fulfil();
    await reviewer.chat('approved');
    expect(await written(space)).toBe('');
    expect(textOf(await guarded.client.callTool(append('one')))).toBe('appended one');
    await fulfilled;
    expect(await written(space)).toBe('one\n');
  });

  it('gets nothing run for it if it does not return, and the approver is told', async () => {
    await using left = await callAndLeave();
    const { space, clock, proposal } = left;
    const fulfilled = proposal.fulfil();
    fulfilled.catch(() => {});
    await expect.poll(async () => (await stateOf(space, proposal.id))?.['phase']).toBe('allowed');
    clock.pass(120_000);
    await expect(fulfilled).rejects.toThrow(
      'nobody is waiting for this call any longer (the caller disconnected).',
    );
    expect(await written(space)).toBe('');
  });

  it('leaves its calls waiting for the window when it disconnects, unless the guard ends: then they are withdrawn at once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const clock = createTestClock();
    const guarded = await guardInProcess(space, { clock });
    const other = await guarded.connect();
    const first = other.callTool(append('one'));
    first.catch(() => {});
    const proposal = await next();
    await other.close();
    expect(await stateOf(space, proposal.id)).toMatchObject({ phase: 'pending' });
    await guarded.guard.close();
    await expect.poll(async () => (await stateOf(space, proposal.id))?.['phase']).toBe('withdrawn');
    expect(await stateOf(space, proposal.id)).toMatchObject({ rejections: {} });
  });
});

describe('restarted guard', () => {
  it('O-3: continues with waiting calls: a retry joins the earlier proposal', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const before = await guardInProcess(space);
    const lost = before.client.callTool(append('one'));
    lost.catch(() => {});
    const proposal = await next();
    // As if it had been killed: nothing is withdrawn.
    await before.participant.close();
    await using after = await guardInProcess(space);
    const retry = after.client.callTool(append('one'));
    await after.client.listTools();
    await proposal.fulfil();
    expect(textOf(await retry)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });

  it('O-23, O-46: reports the unknown outcome of a running call to its approver and, once, to a caller that repeats it', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const before = await guardInProcess(space, { notes: { beforeWriting: () => new Promise(() => {}) } });
    before.client.callTool(append('one')).catch(() => {});
    const proposal = await next();
    const fulfilled = proposal.fulfil();
    await expect.poll(async () => (await stateOf(space, proposal.id))?.['phase']).toBe('allowed');
    fulfilled.catch(() => {});
    await before.participant.close();
    await using after = await guardInProcess(space);
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError', why: 'executor_lost_it' });
    const retry = await after.client.callTool(append('one'));
    expect(retry).toMatchObject({
      isError: true,
      _meta: { 'proffer/outcome': { code: 'unknown', proposal: proposal.id } },
    });
    expect(textOf(retry)).toContain('that asks for a new decision');
    expect(await written(space)).toBe('');
    const again = after.client.callTool(append('one'));
    const second = await next();
    expect(second.id).not.toBe(proposal.id);
    await second.fulfil();
    expect(textOf(await again)).toBe('appended one');
  });
});
