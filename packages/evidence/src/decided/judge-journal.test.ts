import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVERY_SPACE, openLocalJournal, type StoredRecord } from '@proffer/journal';
import { expect, it } from 'vitest';
import { judgeJournal } from './judge-journal.js';

const FIXTURES = fileURLToPath(new URL('../../../journal/fixtures', import.meta.url));

it.each(['v1', 'v2', 'v3'])('I-11: calls nothing in a journal of format %s a forgery', async (format) => {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-older-'));
  await cp(join(FIXTURES, format, 'journal'), folder, { recursive: true });
  const opened = await openLocalJournal(folder, { reading: true });
  if (!opened.ok) throw new Error(opened.refusal.message);
  const records: StoredRecord[] = [];
  for await (const record of opened.value.feed(EVERY_SPACE, 0, { follow: false })) records.push(record);
  await opened.value.close();
  await rm(folder, { recursive: true });
  const judge = judgeJournal({ hasSeveralWriters: false });
  for (const [at, record] of records.entries()) judge.judge(record, records[at + 1]);
  expect(judge.found).toMatchObject({ decided: 0, wrong: 0, beforeRules: records.length });
});
