import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../testing/gateway.js';
import { decodeText } from '../bytes.js';
import { participant, WAYS } from '../testing/ways.js';
import { HandoffSession } from './handoff-session.js';
import { MultiRoundSession } from './multi-round-session.js';
import { TaskSession } from './task-session.js';

const OUTCOME = { authorityScope: 'test', reason: 'as reported' };

describe.each(WAYS)('over $name', (way) => {
  it('N-12, N-21, N-22: a task is requested, accepted, updated, completed and committed', async () => {
    await using gateway = await startTestGateway();
    await using boss = participant(way, way.port(gateway), 'boss');
    await using ann = participant(way, way.port(gateway), 'ann');
    const session = new TaskSession(boss);
    await session.start({ intent: 'build it', participants: ['boss', 'ann'], ttlMs: 60_000 });
    await session.request('t1', 'Build', { instructions: 'carefully', input: { branch: 'main' } });
    const work = await TaskSession.join(ann, session.sessionId);
    expect(work.projection.task).toMatchObject({ title: 'Build', sender: 'boss' });
    expect(decodeText(work.projection.task?.input ?? '')).toBe('{"branch":"main"}');
    await work.accept('t1');
    await work.update('t1', { progress: 0.5, message: 'halfway' });
    expect(work.projection).toMatchObject({ phase: 'InProgress', assignee: 'ann', progress: 0.5 });
    await work.complete('t1', { output: 'a binary', summary: 'built' });
    await session.commit({ action: 'task.completed', ...OUTCOME });
    await expect.poll(() => work.projection.isPositiveOutcome).toBe(true);
    expect(session.projection.report).toMatchObject({ result: 'completed', summary: 'built', sender: 'ann' });
    expect(work.projection.negotiation).toEqual(session.projection.negotiation);
  });

  it('N-12, N-23, N-24: a responsibility is declined by one and taken by another', async () => {
    await using gateway = await startTestGateway();
    await using owner = participant(way, way.port(gateway), 'owner');
    const session = new HandoffSession(owner);
    await session.start({ intent: 'holiday', participants: ['owner', 'ann', 'bob'], ttlMs: 60_000 });
    await session.offer('h1', 'ann', { scope: 'support' });
    await session.addContext('h1', 'three open tickets');
    await session.decline('h1', { reason: 'busy', sender: 'ann' });
    await session.offer('h2', 'bob');
    expect(session.projection.pendingOffer()).toMatchObject({ handoffId: 'h2', target: 'bob' });
    await session.accept('h2', { sender: 'bob' });
    expect(session.projection).toMatchObject({ phase: 'Accepted', holder: 'owner' });
    await session.commit({ action: 'handoff.accepted', ...OUTCOME });
    expect(session.projection).toMatchObject({ phase: 'Committed', holder: 'bob' });
    const { context = [] } = session.projection.offers.get('h1') ?? {};
    expect(context.map(({ context: content }) => decodeText(content))).toEqual(['three open tickets']);
  });

  it('N-12, N-25: values converge in rounds', async () => {
    await using gateway = await startTestGateway();
    await using chair = participant(way, way.port(gateway), 'chair');
    const session = new MultiRoundSession(chair);
    await session.start({ intent: 'pick one', participants: ['ann', 'bob'], ttlMs: 60_000 });
    await session.contribute('red', { sender: 'ann' });
    await session.contribute('blue', { sender: 'bob' });
    expect(session.projection.convergedValue()).toBeUndefined();
    await session.contribute('red', { sender: 'bob' });
    expect(session.projection).toMatchObject({ phase: 'Converged', round: 3 });
    expect([...session.projection.values]).toEqual(
      expect.arrayContaining([
        ['ann', 'red'],
        ['bob', 'red'],
      ]),
    );
    await session.commit({ action: 'color.picked', ...OUTCOME });
    expect(session.projection.phase).toBe('Committed');
  });
});
