import { contractNegotiation } from './contract-negotiation/story.js';
import { proposalLifecycle } from './proposal-lifecycle/story.js';
import { targetingFlows } from './targeting-flows/story.js';

/** All stories, one after the other: `npm run stories`. */
for (const story of [proposalLifecycle, contractNegotiation]) {
  introduce(story);
  story.tell(print);
}
introduce(targetingFlows);
await targetingFlows.tell(print);

function introduce({ title, about }: { readonly title: string; readonly about: string }): void {
  print(`\n${title}\n${about}\n`);
}

function print(line: string): void {
  console.log(line);
}
