import type { Member } from '@proffer/client';
import { defined } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { expect, it } from 'vitest';
import { Executors } from './executors.js';
import { runnerOf } from './runner.js';

const pending = {
  id: 'p1',
  proposer: 'agent',
  phase: 'pending',
  method: 'tools/call',
  subject: { list: 'tools', name: 'pay' },
} as Proposal;

const server = (id: string): Member => ({ id, capabilities: [], serves: { tools: [{ name: 'pay' }] } });
const you: Member = { id: 'ada', capabilities: [], serves: {} };

/** What is shown with these servers and the gateway's choice; `undefined` while it has not answered. */
function shown(servers: readonly string[], asked?: { readonly name: string | undefined }, chosen?: string) {
  const answer = asked === undefined ? undefined : { newcomers: { new: 'old' }, ...asked };
  const participant = { participants: servers.map(server), welcome: { you } } as unknown as Parameters<
    typeof runnerOf
  >[0]['participant'];
  const { name, served, problem, insteadOf } = runnerOf(
    { participant, executors: { of: () => answer } },
    pending,
    chosen,
  );
  return { name, by: served?.by, problem, ...defined({ insteadOf }) };
}

it("O-26: shows the gateway's executor, or the chosen one, and no substitute", () => {
  expect(shown(['a', 'z'], { name: 'z' })).toEqual({ name: 'z', by: 'z', problem: undefined });
  expect(shown(['a', 'z'], { name: 'z' }, 'a')).toEqual({ name: 'a', by: 'a', problem: undefined });
  expect(shown(['z'], { name: 'z' }, 'a')).toMatchObject({
    name: 'a',
    problem: 'a does not serve this tool now',
  });
  expect(shown(['a'], { name: 'z' })).toMatchObject({ name: 'z', problem: 'z does not serve this tool now' });
  expect(shown(['a'], { name: undefined })).toMatchObject({ problem: 'no server here can run this call' });
});

it('O-26: says whose place somebody new would take, also if the reviewer chose them', () => {
  expect(shown(['new'], { name: 'new' })).toMatchObject({ name: 'new', insteadOf: 'old' });
  expect(shown(['a', 'new'], { name: 'a' }, 'new')).toMatchObject({ name: 'new', insteadOf: 'old' });
  expect(shown(['a', 'new'], { name: 'a' })).not.toHaveProperty('insteadOf');
});

it("O-26: assumes a runner without the gateway's answer only if there is a single server", () => {
  expect(shown(['a'])).toEqual({ name: 'a', by: 'a', problem: undefined });
  const problem = 'it is not yet known which server would run this call';
  expect(shown(['a', 'z'])).toEqual({ name: undefined, by: undefined, problem });
});

it('O-26: asks the gateway again when someone comes, goes or announces, and after a failure', async () => {
  const answers = ['z', new Error('no answer'), 'a'];
  let asked = 0;
  let onChange = (): void => {};
  const next = () =>
    new Promise<void>((resolve) => {
      onChange = resolve;
    });
  const executors = new Executors({
    askFor: async () => {
      const answer = answers[asked++];
      if (answer instanceof Error) throw answer;
      return { wouldRun: { name: answer } };
    },
    onChange: () => onChange(),
    pause: 0,
  });
  const looks = async () => {
    const changed = next();
    const before = executors.of(pending);
    await changed;
    return before;
  };
  expect(await looks()).toBeUndefined();
  // The same answer covers a similar call.
  expect(executors.of({ ...pending, id: 'p2' })).toMatchObject({ name: 'z' });
  executors.take({ kind: 'mcp.proposal.tools/call' });
  expect(executors.of(pending)).toMatchObject({ name: 'z' });
  expect(asked).toBe(1);
  executors.take({ kind: 'mcpx.announce.tools' });
  // The display stays while it is asked again, even if that fails.
  expect(await looks()).toMatchObject({ name: 'z' });
  expect(await looks()).toMatchObject({ name: 'z' });
  expect(executors.of(pending)).toMatchObject({ name: 'a' });
  expect(asked).toBe(3);
});
