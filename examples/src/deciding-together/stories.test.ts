import { expect, it } from 'vitest';
import type { LiveStory } from '../story.js';
import { batchOfTwenty } from './batch-of-twenty.js';
import { fiveWrites } from './five-writes.js';
import { insteadOfEtc } from './instead-of-etc.js';
import { nobodyAnswers } from './nobody-answers.js';
import { planOfFour } from './plan-of-four.js';
import { twoOfThree } from './two-of-three.js';

async function told(story: LiveStory): Promise<string> {
  const lines: string[] = [];
  await story.tell((line) => lines.push(line));
  return lines.join('\n');
}

it('O-28, O-29: pays once after two of three people have signed', async () => {
  const lines = await told(twoOfThree);
  expect(lines).toMatch(/boss +approves invoice +✗ not_approver/);
  expect(lines).toMatch(/ann +approves invoice +→ 1 of 2/);
  expect(lines).toMatch(/cleo +approves invoice +→ 2 of 2/);
  expect(lines).toContain('→ the printer, once');
});

it('O-33: escalates when nobody answers, also across a restart', async () => {
  const lines = await told(nobodyAnswers);
  expect(lines).toMatch(/20 minutes +pass +→ the gateway was down; escalated to boss/);
  expect(lines).toMatch(/boss +approves lamp +→ refunded/);
  expect(lines).toMatch(
    /90 minutes +pass +→ Proposal chair was declined: Not decided in time\. There is nobody left to ask/,
  );
});

it('O-40: runs once when the agent accepts the counter-offer "/tmp instead of /etc"', async () => {
  const lines = await told(insteadOfEtc);
  expect(lines).toMatch(/reviewer +offers +→ \/tmp\/motd: \/tmp instead of \/etc/);
  expect(lines).toMatch(/agent +accepts it +→ run by reviewer/);
  expect(lines).toContain('→ /tmp/motd, once');
});

it('O-41: trusts an agent with five writes and no more', async () => {
  const lines = await told(fiveWrites);
  expect(lines).toMatch(/writes \/tmp\/5 +→ 0 left/);
  expect(lines).toMatch(/writes \/tmp\/6 +✗ capability_violation/);
});

it('O-37: stops a plan of four dependent calls when the third fails', async () => {
  const lines = await told(planOfFour);
  expect(lines).toMatch(/bob +approves all +→ 2 of 2, the plan begins/);
  expect(lines).toMatch(/tools +pays +→ landlord, then printer/);
  expect(lines).toMatch(/tools +fails +✗ The account is closed\./);
  expect(lines).toMatch(/gateway +declines +✗ caterer: a step before it failed/);
});

it('O-35: approves a batch of twenty except the one that changed in the meantime', async () => {
  const lines = await told(batchOfTwenty);
  expect(lines).toMatch(/ann +approves all +→ 19 approved, 1 left alone: objection/);
  expect(lines).toMatch(/tools +refunds +→ 19, each once/);
});
