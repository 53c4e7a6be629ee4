import { type SpaceState, spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { spaceFold } from '../operations/space-rules.js';
import { appendOne, eachAppend, journalWith } from '../testing/journals.js';
import { flushNow } from './flush-policy.js';
import { LiveState } from './live-state.js';
import { type RecordableDecision, type Rules, type SubmitOutcome, submit } from './submit.js';

it('O-12, I-2: prepares a message again when it is decided again, since what it needs may have been evicted', async () => {
  const inner = createMemoryJournal();
  let conflicts = 1;
  const conflicting = eachAppend((append, settle) => {
    if (conflicts-- === 0) return appendOne(inner, append, settle);
    settle({ status: 'conflict', head: { stream: append.stream, version: 0, hash: '' } });
  });
  const live = new LiveState({
    journal: journalWith(inner, conflicting),
    fold: spaceFold(spaceSettings({ name: 'main' })),
    flushPolicy: flushNow,
    onFault: (error) => {
      throw error;
    },
  });
  const decided: string[] = [];
  const outcome = await new Promise<SubmitOutcome<SpaceState, object>>((settle) => {
    const rules: Rules<SpaceState, string, RecordableDecision> = {
      decide(_, message) {
        decided.push(message);
        const appends = [{ stream: 'main/proposal/p', expectedVersion: 0, records: [] }];
        return message === 'brought back' ? {} : { appends };
      },
      confirm: (decision) => decision,
    };
    const prepare = () => Promise.resolve('brought back');
    submit({ live, rules, prepare, settle: (_, told) => settle(told) }, 'as it was');
  });
  expect(decided).toEqual(['as it was', 'brought back']);
  expect(outcome.status).toBe('answered');
});
