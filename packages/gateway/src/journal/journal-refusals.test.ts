import { refuse } from '@proffer/core';
import { JournalError } from '@proffer/journal';
import { expect, it } from 'vitest';
import { refusalForJournalError } from './journal-refusals.js';

it('I-1: the sender of a message that was not decided learns why, and nothing about files of the gateway', () => {
  const away = refuse('unavailable', 'NATS could not be reached: no servers.', { cause: 'no answer' });
  expect(refusalForJournalError(new JournalError(away))).toBe(away);
  const damaged = new JournalError(refuse('journal_damaged', '/var/lib/proffer/1.seg is damaged.'));
  for (const error of [damaged, new Error('/var/lib/proffer')])
    expect(refusalForJournalError(error).message).toMatch(/^The journal could not be read\. /);
});
