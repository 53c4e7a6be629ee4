import { contractNegotiation } from './contract-negotiation/story.js';
import { proposalLifecycle } from './proposal-lifecycle/story.js';

/** What `npm start` shows: both planes, straight through the rules. */
for (const story of [proposalLifecycle, contractNegotiation]) {
  console.log(`\n${story.title}\n${story.about}\n`);
  story.tell((line) => console.log(line));
}
console.log('\nBoth stories are in examples/src; the rules they run through are in packages/core/src.');
