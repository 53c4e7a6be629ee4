import { connect } from '@proffer/client';

const url = process.env.PROFFER_URL ?? 'ws://127.0.0.1:7420';
const join = (name) => connect({ url, token: name, space: 'main' });

// Somebody who runs what was approved …
const greeter = await join('greeter');
await greeter.serve([{ name: 'greet', handler: ({ who }) => `Hello, ${who}!` }]);

// … somebody who decides …
const reviewer = await join('reviewer');
reviewer.onProposal(
  ({ params, fulfil, reject }) => (params.arguments.who === 'everybody' ? reject('unsafe') : fulfil()),
  { filter: ({ params }) => params?.name === 'greet' },
);

// … and an agent that may only propose.
const agent = await join('agent');
const call = { name: 'greet', arguments: { who: 'Ada' } };
const { content } = await agent.propose('tools/call', call, { ttl: 60_000 });
console.log(content[0].text);

for (const participant of [agent, reviewer, greeter]) await participant.close();
