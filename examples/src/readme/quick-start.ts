import { connect } from '@proffer/client';

/** An agent that may not act, somebody who decides, and somebody who runs what was approved. */
export async function quickStart(url: string): Promise<unknown> {
  await using tools = await connect({ url, token: 'tools', space: 'main' });
  await tools.serve([{ name: 'greet', handler: ({ who }) => `Hello, ${who as string}!` }]);

  await using reviewer = await connect({ url, token: 'reviewer', space: 'main' });
  reviewer.onProposal(async ({ params, fulfil, reject }) => {
    if (JSON.stringify(params).includes('everybody')) await reject('unsafe', 'One at a time, please.');
    else await fulfil();
  });

  await using agent = await connect({ url, token: 'agent', space: 'main' });
  return await agent.propose('tools/call', { name: 'greet', arguments: { who: 'Ada' } }, { ttl: 60_000 });
}
