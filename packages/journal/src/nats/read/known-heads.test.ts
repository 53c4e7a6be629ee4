import { expect, it } from 'vitest';
import { createSubjects } from '../messages/subjects.js';
import { NO_RECORDS } from '../verify/chain.js';
import { KnownHeads } from './known-heads.js';

const STREAM = 'main/proposal/1';

it('I-6: in-flight records do not hide what others have written in their place', () => {
  const heads = new KnownHeads(createSubjects('proffer'));
  heads.reach(STREAM, { ...NO_RECORDS, version: 4, hash: 'theirs', seq: 4 });
  const planned = (version: number) => ({ stream: STREAM, version, hash: 'planned' });
  expect(heads.withRemoved(STREAM, planned(5))).toMatchObject({ version: 5, hash: 'planned' });
  expect(heads.withRemoved(STREAM, planned(4))).toMatchObject({ version: 4, hash: 'theirs' });
  expect(heads.withRemoved(STREAM, planned(2))).toMatchObject({ version: 4, hash: 'theirs' });
});
