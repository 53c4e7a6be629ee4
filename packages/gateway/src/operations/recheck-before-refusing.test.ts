import { refuse } from '@proffer/core';
import { JournalError } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import type { SenderQueue } from './live-space.js';
import { createRecheckBeforeRefusing } from './recheck-before-refusing.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

const refused = (
  code: 'capability_violation' | 'proposal_not_pending' | 'unavailable',
): SpaceMessageOutcome => ({
  status: 'refused',
  refusal: refuse(code, 'No.'),
});
const ACCEPTED: SpaceMessageOutcome = { status: 'accepted', records: [] };

/** A gateway that knows the first ten records of a space. */
function startAsking(lastSeq: () => Promise<number>) {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const recheck = createRecheckBeforeRefusing({ journal: { lastSeq }, space: 'main', seq: 10, onFault });
  const queue: SenderQueue = { server: { isOpen: true, instance: undefined } };
  const decided: string[] = [];
  const decide = (name: string, outcomes: readonly SpaceMessageOutcome[]): Promise<SpaceMessageOutcome> =>
    new Promise((resolve) => {
      let attempt = 0;
      recheck.decide(queue, resolve, (conclude) => {
        decided.push(name);
        conclude(outcomes[attempt++] ?? ACCEPTED);
      });
    });
  return { recheck, queue, decided, decide, faults };
}

describe('one of several gateways', () => {
  it('O-41: decides again before it refuses what records of others could allow', async () => {
    const { recheck, decide, decided } = startAsking(async () => 12);
    const told = decide('m1', [refused('capability_violation'), ACCEPTED]);
    recheck.reached(11);
    await Promise.resolve();
    expect(decided).toEqual(['m1']);
    await new Promise((resolve) => setImmediate(resolve));
    recheck.reached(12);
    expect(await told).toEqual(ACCEPTED);
    expect(decided).toEqual(['m1', 'm1']);
  });

  it('O-35: decides a batch again for the part that records of others could allow, and keeps what was accepted', async () => {
    const { recheck, decide, decided } = startAsking(async () => 11);
    const part = (proposal: string) => ({ id: `b#${proposal}`, proposal });
    const { refusal } = refused('capability_violation') as { readonly refusal: ReturnType<typeof refuse> };
    const first: SpaceMessageOutcome = {
      status: 'accepted',
      records: [],
      parts: [
        { ...part('1'), status: 'accepted', seq: 10 },
        { ...part('2'), status: 'refused', refusal },
        { ...part('3'), status: 'late' },
      ],
    };
    const again: SpaceMessageOutcome = {
      status: 'accepted',
      records: [],
      parts: [
        { ...part('1'), status: 'duplicate', seq: 10 },
        { ...part('2'), status: 'accepted', seq: 12 },
        { ...part('3'), status: 'late' },
      ],
    };
    const told = decide('m1', [first, again]);
    await new Promise((resolve) => setImmediate(resolve));
    recheck.reached(11);
    expect((await told).parts?.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'late']);
    expect(decided).toEqual(['m1', 'm1']);
  });

  it('O-41: refuses at once if there is nothing more, and without recheck if no record could change it', async () => {
    let asked = 0;
    const { decide, decided } = startAsking(async () => {
      asked++;
      return 10;
    });
    expect(await decide('m1', [refused('capability_violation')])).toEqual(refused('capability_violation'));
    expect(asked).toBe(1);
    expect(await decide('m2', [refused('proposal_not_pending')])).toEqual(refused('proposal_not_pending'));
    expect(await decide('m3', [ACCEPTED])).toEqual(ACCEPTED);
    expect([asked, decided]).toEqual([1, ['m1', 'm2', 'm3']]);
  });

  it('O-51: looks once for all who ask before it begins, and again for those who ask later', async () => {
    const answers: ((last: number) => void)[] = [];
    const { recheck } = startAsking(() => new Promise((resolve) => void answers.push(resolve)));
    const first = [recheck.look(), recheck.look()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(1);
    const later = [recheck.look(), recheck.look()];
    answers[0]?.(10);
    await Promise.all(first);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(2);
    answers[1]?.(11);
    recheck.reached(11);
    await Promise.all(later);
  });

  it('I-5: says that it does not know while nobody answers', async () => {
    const { refusal } = refused('unavailable') as { readonly refusal: ReturnType<typeof refuse> };
    const { decide } = startAsking(() => Promise.reject(new JournalError(refusal)));
    expect(await decide('m1', [refused('capability_violation')])).toEqual(refused('unavailable'));
  });

  it('I-5: logs why it could not ask, and tells the sender whether to retry', async () => {
    const damaged = new JournalError(refuse('journal_damaged', '/var/lib/proffer/1.log is damaged.'));
    const { decide, faults } = startAsking(() => Promise.reject(damaged));
    const told = await decide('m1', [refused('capability_violation')]);
    expect(told).toMatchObject({ status: 'refused', refusal: { code: 'journal_damaged' } });
    expect(JSON.stringify(told)).not.toContain('/var/lib');
    expect(faults).toEqual([damaged]);
  });

  it('O-3: lets later messages on the same connection wait meanwhile', async () => {
    const { recheck, queue, decide } = startAsking(async () => 11);
    const told = decide('m1', [refused('capability_violation')]);
    expect(queue.waiting).toBeDefined();
    recheck.reached(11);
    await told;
    expect(queue.waiting).toBeUndefined();
  });
});
