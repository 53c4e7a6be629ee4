import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { connectEarlier, research } from '../../testing/earlier-client.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace } from '../../testing/space.js';
import { OUTCOME_KEY } from '../answers.js';
import { createProposalArchive } from '../recovery/index.js';

const TYPES = ['taskCreated', 'taskStatus', 'result'];

async function place(holdFor = 50_000) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const { guard } = await guardInProcess(space, { holdFor });
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  return {
    client: await connectEarlier(guard),
    next: proposalsFor(reviewer),
    phaseOf: async (id: string) => (await archive.find(id))?.proposal['phase'],
    async [Symbol.asyncDispose]() {
      await guard.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent('caller that asks for a task (2025-11-25)', () => {
  it('O-13: gets the changes in its result, and the questions in between', async () => {
    await using here = await place();
    const told = research(here.client, { topic: 'cats', ambiguous: false });
    const proposal = await here.next();
    const edited = { name: 'notes/simulate-research-query', arguments: { topic: 'python', ambiguous: true } };
    const fulfilled = proposal.fulfil(edited);
    const { types, result } = await told;
    expect(types).toEqual(TYPES);
    expect(result).toMatchObject({
      content: [
        { text: expect.stringContaining('topic: "cats" → "python"') },
        { text: expect.stringContaining('Research Report: python (programming)') },
      ],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: proposal.id } },
    });
    expect(await fulfilled).toMatchObject({
      content: [{ text: expect.stringContaining('# Research Report') }],
    });
    expect(await here.phaseOf(proposal.id)).toBe('settled');
  });

  it('O-17: gets a rejection as a result, however long it took', async () => {
    await using here = await place(1);
    const told = research(here.client, { topic: 'cats' });
    await (await here.next()).reject('unsafe', 'not today');
    expect(await told).toMatchObject({
      types: TYPES,
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('not today') }],
        _meta: { [OUTCOME_KEY]: { code: 'rejected' } },
      },
    });
  });

  it("finds it in the task list, before and among the server's own", async () => {
    await using here = await place();
    const { tasks } = here.client.experimental;
    expect((await tasks.listTasks()).tasks).toEqual([]);
    const told = research(here.client, { topic: 'cats' }, { ttl: 7_200_000 });
    const proposal = await here.next();
    await expect
      .poll(async () => (await tasks.listTasks()).tasks)
      .toMatchObject([{ taskId: proposal.id, status: 'working', ttl: 7_200_000 }]);
    await proposal.fulfil();
    await told;
    // The server's own task for it is the same task, and is listed once.
    const [own, ...theirs] = (await tasks.listTasks()).tasks;
    expect(own).toEqual(await tasks.getTask(proposal.id));
    expect(own).toMatchObject({ taskId: proposal.id, status: 'completed' });
    expect(theirs).toEqual([]);
  });

  it('O-15: cancels it unless it has started', async () => {
    await using here = await place();
    const told = research(here.client, { topic: 'cats' });
    const { id } = await here.next();
    expect(await here.client.experimental.tasks.cancelTask(id)).toMatchObject({ status: 'cancelled' });
    expect(await told).toMatchObject({ error: expect.stringContaining('was cancelled') });
    await expect.poll(() => here.phaseOf(id)).toBe('withdrawn');
    const again = research(here.client, { topic: 'dogs' });
    const second = await here.next();
    const fulfilled = second.fulfil();
    await expect.poll(() => here.phaseOf(second.id)).toBe('allowed');
    await expect(here.client.experimental.tasks.cancelTask(second.id)).rejects.toThrow('not cancelled');
    expect(await again).toMatchObject({ types: TYPES });
    await fulfilled;
  });
});
