import './needs-gateway.mjs';
import { connect, textIn } from '@proffer/client';

const space = { url: process.env.PROFFER_URL ?? 'ws://127.0.0.1:7420', space: 'main' };

// An executor that runs what was approved …
const greeter = await connect({ ...space, token: 'greeter' });
await greeter.serve([{ name: 'greet', handler: ({ who }) => `Hello, ${who}!` }]);

// … a reviewer …
const reviewer = await connect({ ...space, token: 'reviewer' });
reviewer.onProposal(
  ({ params, fulfil, reject }) => (params.arguments.who === 'everybody' ? reject('unsafe') : fulfil()),
  { tool: 'greet' },
);

// … and an agent that may only propose.
const agent = await connect({ ...space, token: 'agent' });
const call = { name: 'greet', arguments: { who: 'Ada' } };
console.log(textIn(await agent.propose('tools/call', call, { ttl: 60_000 })));

for (const participant of [agent, reviewer, greeter]) await participant.close();
