import { expect, it } from 'vitest';
import { returningParty } from './story.js';

it('N-6, I-6: resumes after a crash, and counts a message sent twice once', async () => {
  const lines: string[] = [];
  await returningParty.tell((line) => lines.push(line));
  const told = lines.join('\n');
  expect(told).toMatch(/seller +is killed/);
  expect(told).toMatch(/seller +is back +goes on from 1 and repeats it: countered duplicate=true/);
});
