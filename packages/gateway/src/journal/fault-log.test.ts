import { refuse } from '@proffer/core';
import { JournalError } from '@proffer/journal';
import { expect, it } from 'vitest';
import { createFaultLog } from './journal-refusals.js';

it('I-7: a journal that is away is logged once a minute, without a stack; any other fault each time, with one', () => {
  const lines: (readonly [string, unknown, unknown])[] = [];
  const log = {
    error: (details: unknown, what?: unknown) => void lines.push(['error', details, what]),
    warn: (details: unknown, what?: unknown) => void lines.push(['warn', details, what]),
  };
  let now = 0;
  const logFault = createFaultLog(log, () => now);
  const refusal = refuse('unavailable', 'NATS could not be reached.');
  const away = new JournalError(refusal);
  for (const at of [0, 1, 59_999, 60_000, 60_001]) {
    now = at;
    logFault(away, 'a message was not decided', { space: 'main' });
  }
  const what = 'a message was not decided: the journal cannot be read at the moment';
  expect(lines).toEqual([
    ['warn', { space: 'main', refusal, alsoFailed: 0 }, what],
    ['warn', { space: 'main', refusal, alsoFailed: 2 }, what],
  ]);
  const bug = new Error('a bug');
  logFault(bug, 'a call failed', { path: '/' });
  logFault(bug, 'a call failed', { path: '/' });
  const line = ['error', { path: '/', err: bug }, 'a call failed'];
  expect(lines.slice(2)).toEqual([line, line]);
});
