import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPython } from './python-agent.js';
import { type Reviewing, startReviewing } from './reviewing.js';

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await startReviewing();
});
afterAll(() => reviewing[Symbol.asyncDispose]());

describe('agent in Python', () => {
  it.each([
    ['LangGraph', 'testing/langgraph_agent.py'],
    ['the OpenAI Agents SDK', 'testing/openai_agent.py'],
  ])(
    'O-13, O-26, O-31: runs approved calls once with %s, and learns why the others do not run',
    async (_, program) => {
      const [edited, rejected] = ['edited', 'rejected'].map(
        (what) => `${what}_${program.replace(/\W/g, '_')}`,
      );
      if (edited === undefined || rejected === undefined) throw new Error('Two tools have two names.');
      // One process for all cases: most of the time goes into starting the framework.
      const { output } = startPython(reviewing.url, program, [edited, rejected, 'down']);
      const { reviewer, pending } = reviewing;
      await reviewer.fulfil(await pending(edited), { name: edited, arguments: { amount: 4 } });
      await reviewer.reject((await pending(rejected)).id, 'policy', 'Not on a Friday.');
      const [ran, ...heard] = (await output).trim().split('\n');
      expect(ran).toBe('running 4');
      expect(heard).toEqual([
        'heard paid 4',
        expect.stringMatching(/^heard Not run: rejected\. .*Not on a Friday\./),
        expect.stringMatching(/^heard Not run: .*could not be asked/),
      ]);
    },
  );
});
