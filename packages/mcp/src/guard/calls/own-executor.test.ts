import { expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

it('O-26, I-4: only the guard itself runs what it proposed, however long it is away and whoever announces the same tool', async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  await using other = await space.join('other');
  const taken: unknown[] = [];
  const client = await connectRaw(space, { answer: () => listOf('t') });
  client.send({ id: 1, method: 'tools/call', params: { name: 't', arguments: {} } });
  const proposal = await next();
  await other.serve([
    {
      name: 'raw/t',
      handler: (args) => {
        taken.push(args);
        return 'made up';
      },
    },
  ]);
  await client.participant.close();
  // The first waits until the gateway counts the guard as gone, so the second could go to the other one at
  // once.
  await expect(proposal.fulfil()).rejects.toThrow(/raw.*not connected/);
  await expect(proposal.fulfil()).rejects.toThrow(/raw.*not connected/);
  expect(taken).toEqual([]);
});
