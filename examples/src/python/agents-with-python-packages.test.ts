import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPython } from './python-agent.js';
import { type Reviewing, startReviewing } from './reviewing.js';

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await startReviewing();
});
afterAll(() => reviewing[Symbol.asyncDispose]());

describe.each([
  ['LangGraph', 'testing/langgraph_agent.py'],
  ['the OpenAI Agents SDK', 'testing/openai_agent.py'],
])('an agent in Python with %s', (_, program) => {
  const tool = (what: string): string => `${what}_${program.replace(/\W/g, '_')}`;
  const start = (name: string, url = reviewing.url) => startPython(url, program, [name]);

  it('O-13, O-26: runs what was approved once, with the arguments that were approved', async () => {
    const name = tool('edited');
    const { output } = start(name);
    await reviewing.reviewer.fulfil(await reviewing.pending(name), { name, arguments: { amount: 4 } });
    expect(await output).toBe('running 4\nheard paid 4\n');
  });

  it('O-31: does not run what was rejected, and the model hears why', async () => {
    const name = tool('rejected');
    const { output } = start(name);
    await reviewing.reviewer.reject((await reviewing.pending(name)).id, 'policy', 'Not on a Friday.');
    expect(await output).toMatch(/^heard Not run: rejected\. .*Not on a Friday\./);
  });

  it('does not run anything without a gateway, and the model hears why', async () => {
    expect(await start(tool('down'), 'ws://127.0.0.1:9').output).toMatch(
      /^heard Not run: .*could not be asked/,
    );
  });
});
