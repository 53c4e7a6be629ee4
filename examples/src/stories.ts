import { contractNegotiation } from './contract-negotiation/story.js';
import { proposalLifecycle } from './proposal-lifecycle/story.js';
import { targetingFlows } from './targeting-flows/story.js';

/** All stories, one after the other: `npm run stories`. */
for (const story of [proposalLifecycle, contractNegotiation, targetingFlows]) {
  console.log(`\n${story.title}\n${story.about}\n`);
  await story.tell((line) => console.log(line));
}
