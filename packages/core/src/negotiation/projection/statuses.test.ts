import { describe, expect, it } from 'vitest';
import { HANDOFF_MODE } from '../modes/handoff/name.js';
import { HandoffProjection } from '../modes/handoff/projection.js';
import { ProposalProjection } from '../modes/proposal/projection.js';
import { TASK_MODE } from '../modes/task/name.js';
import { TaskProjection } from '../modes/task/projection.js';
import { given } from '../testing/given.js';
import { inMode } from '../testing/in-mode.js';
import { propose, reject, type Step, send, start, withdraw } from '../testing/steps.js';
import type { SessionProjection } from './session-projection.js';

/** What a reader sees after each step, from the second on. */
function watch<Seen>(
  projection: Pick<SessionProjection, 'apply'>,
  steps: readonly Step[],
  look: () => Seen,
): readonly Seen[] {
  const seen = given(...steps).records.map(({ envelope }) => {
    const applied = projection.apply(envelope);
    expect(applied).not.toMatchObject({ ok: false });
    return look();
  });
  return seen.slice(1);
}

describe("status, in the words of MACP's SDKs", () => {
  it('N-12: of a proposal: open, withdrawn, terminally rejected', () => {
    const projection = new ProposalProjection();
    const status = () => [...projection.proposals.values()].map((view) => view.status).join(' ');
    const steps = [start(), propose('seller', 'p1'), propose('seller', 'p2'), reject('buyer', 'p1')];
    const ending = [withdraw('seller', 'p1'), reject('buyer', 'p2', true), withdraw('seller', 'p2')];
    expect(watch(projection, [...steps, ...ending], status)).toEqual([
      'open',
      'open open',
      'open open',
      'withdrawn open',
      'withdrawn rejected',
      'withdrawn withdrawn',
    ]);
  });

  it('N-12: of a task: from its request to its report', () => {
    const projection = new TaskProjection();
    const say = (sender: string, type: string, payload = {}): Step =>
      inMode(TASK_MODE, send(sender, type, { task_id: 't1', ...payload }));
    const steps = [
      inMode(TASK_MODE, start({ participants: ['ann', 'bob'] }, 'owner')),
      say('owner', 'TaskRequest', { title: 'count' }),
      say('ann', 'TaskReject'),
      say('bob', 'TaskAccept'),
      say('bob', 'TaskUpdate', { progress: 0.5 }),
      say('bob', 'TaskComplete', { output: 'AAAA' }),
    ];
    expect(watch(projection, steps, () => projection.status)).toEqual([
      'requested',
      'rejected',
      'accepted',
      'in_progress',
      'completed',
    ]);
  });

  it('N-12: of a handoff: also whether context was sent', () => {
    const projection = new HandoffProjection();
    const say = (sender: string, type: string, handoff_id: string, payload = {}): Step =>
      inMode(HANDOFF_MODE, send(sender, type, { handoff_id, ...payload }));
    const steps = [
      inMode(HANDOFF_MODE, start({ participants: ['owner', 'ann', 'bob'] }, 'owner')),
      say('owner', 'HandoffOffer', 'h1', { target_participant: 'ann' }),
      say('ann', 'HandoffDecline', 'h1'),
      say('owner', 'HandoffOffer', 'h2', { target_participant: 'bob' }),
      say('owner', 'HandoffContext', 'h2'),
      say('bob', 'HandoffAccept', 'h2'),
    ];
    const status = () => [...projection.offers.values()].map((view) => view.status).join(' ');
    expect(watch(projection, steps, status)).toEqual([
      'offered',
      'declined',
      'declined offered',
      'declined context_sent',
      'declined accepted',
    ]);
  });
});
