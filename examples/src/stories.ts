import { batchOfTwenty } from './deciding-together/batch-of-twenty.js';
import { fiveWrites } from './deciding-together/five-writes.js';
import { insteadOfEtc } from './deciding-together/instead-of-etc.js';
import { nobodyAnswers } from './deciding-together/nobody-answers.js';
import { planOfFour } from './deciding-together/plan-of-four.js';
import { twoOfThree } from './deciding-together/two-of-three.js';
import { modeStories } from './modes/stories.js';
import { negotiationStories } from './negotiation/stories.js';
import { proposalLifecycle } from './proposal-lifecycle/story.js';
import { stewardRules } from './steward-rules/story.js';
import { targetingFlows } from './targeting-flows/story.js';

/** Plays all stories in sequence: `npm run stories`. */
introduce(proposalLifecycle);
proposalLifecycle.tell(print);
for (const story of [
  targetingFlows,
  twoOfThree,
  nobodyAnswers,
  insteadOfEtc,
  fiveWrites,
  planOfFour,
  batchOfTwenty,
  stewardRules,
  ...negotiationStories,
  ...modeStories,
]) {
  introduce(story);
  await story.tell(print);
}

function introduce({ title, about }: { readonly title: string; readonly about: string }): void {
  print(`\n${title}\n${about}\n`);
}

function print(line: string): void {
  console.log(line);
}
