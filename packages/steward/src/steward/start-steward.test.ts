import { type Message, type Participant, ProposalRejectedError } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import type { StewardEvent } from '../index.js';
import { rulesOf } from '../testing/rules.js';
import { startTestSpace, startTestSteward } from '../testing/space.js';

const RULES = `
version: "7"
rules:
  - { name: no secrets, action: deny, reason: Secrets stay secret., match: { arguments: { path: /etc/** } } }
  - { name: only reads, action: allow, match: { annotations: { readOnlyHint: true } } }
  - { name: drafts, action: allow, match: { tool: write_file, arguments: { path: /tmp/** } } }`;

const call = (name: string, path: string) => ({ name, arguments: { path } });
const decided = (id: string, outcome: string) => (event: StewardEvent) =>
  event.type === 'decided' && event.proposal.id === id && event.outcome === outcome;

/** Everything in the journal about a proposal. */
async function history(participant: Participant, id: string): Promise<readonly Message[]> {
  const found: Message[] = [];
  // What others were acknowledged may be on its way here: this comes after it.
  await participant.chat('so far');
  const end = participant.seq;
  for await (const message of participant.feed({ after: 0 })) {
    if (message.id === id || message.correlationId === id) found.push(message);
    if (message.seq >= end) break;
  }
  return found;
}

describe('a steward', () => {
  it('O-11: runs what the rules allow, once, with rule and version recorded first', async () => {
    await using space = await startTestSpace();
    const steward = await space.join('steward');
    startTestSteward(steward, RULES);
    const result = await space.agent.propose('tools/call', call('read_file', '/a'), { id: 'p1' });
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
    await space.agent.propose('tools/call', call('write_file', '/tmp/a'), { id: 'p2' });
    expect(space.ran).toEqual(['read_file /a', 'write_file /tmp/a']);
    const { version } = rulesOf(RULES);
    expect(version).toMatch(/^7@/);
    const kinds = await history(space.agent, 'p2');
    expect(kinds.map(({ kind, from }) => `${from} ${kind}`)).toEqual([
      'agent mcp.proposal.tools/call',
      'steward mcpx.status.proposal',
      'steward mcp.request.tools/call',
    ]);
    expect(kinds[1]?.payload).toEqual({
      status: 'processing',
      message: `Rule "drafts" (line 6) says allow. [Rule "drafts" (line 6); rules ${version}]`,
    });
  });

  it('O-17: does not repeat a rejection after a restart', async () => {
    await using space = await startTestSpace();
    const first = await space.join('steward');
    const begun = startTestSteward(first, RULES);
    const secret = space.agent.propose('tools/call', call('read_file', '/etc/a'), { id: 'secret' });
    secret.catch(() => undefined);
    await begun.until(decided('secret', 'rejected'));
    await first.close();
    const again = startTestSteward(await space.join('steward'), RULES);
    // Later proposals are decided later: by then the old one would have been rejected again.
    const other = space.agent.propose('tools/call', call('read_file', '/etc/b'), { id: 'other' });
    other.catch(() => undefined);
    await again.until(decided('other', 'rejected'));
    const said = (await history(space.agent, 'secret')).filter(({ kind }) => kind === 'mcpx.reject.proposal');
    expect(said).toHaveLength(1);
  });

  it('O-17: rejects what the rules deny, as policy, naming rule and version', async () => {
    await using space = await startTestSpace();
    startTestSteward(await space.join('steward'), RULES);
    const refused = space.agent.propose('tools/call', call('read_file', '/tmp/../etc/passwd'), {
      to: 'steward',
    });
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ProposalRejectedError);
    expect((error as ProposalRejectedError).rejections).toMatchObject([
      {
        by: 'steward',
        reason: 'policy',
        message: expect.stringMatching(/^Secrets stay secret\. \[Rule "no secrets" \(line 4\); rules 7@/),
      },
    ]);
    expect(space.ran).toEqual([]);
  });

  it('leaves the rest to people, silently unless it was addressed', async () => {
    await using space = await startTestSpace();
    const { until, events } = startTestSteward(await space.join('steward'), RULES);
    const waiting = space.agent.propose('tools/call', call('write_file', '/home/a'), { id: 'p1' });
    const named = space.agent.propose('tools/call', call('write_file', '/home/b'), {
      id: 'p2',
      to: 'steward',
    });
    await until(decided('p1', 'left'));
    await until(decided('p2', 'left'));
    expect(events.every((event) => event.decision.action === 'ask')).toBe(true);
    const person = await space.join('reviewer');
    expect(await history(person, 'p1')).toHaveLength(1);
    expect((await history(person, 'p2'))[1]).toMatchObject({
      kind: 'mcpx.status.proposal',
      payload: { status: 'unable', message: expect.stringContaining('Left to people.') },
    });
    for (const proposal of person.pending) await person.fulfil(proposal);
    await Promise.all([waiting, named]);
    expect(space.ran).toEqual(['write_file /home/a', 'write_file /home/b']);
  });

  it('O-24: never decides its own proposals, even if the space allows it', async () => {
    await using space = await startTestSpace();
    const steward = await space.join('steward');
    const { until, events } = startTestSteward(steward, RULES);
    const own = steward.propose('tools/call', call('read_file', '/mine'), { id: 'own' });
    await own.accepted;
    await space.agent.propose('tools/call', call('read_file', '/other'), { id: 'other' });
    await until(decided('other', 'fulfilled'));
    expect(events).toHaveLength(1);
    expect(space.ran).toEqual(['read_file /other']);
    own.catch(() => {});
  });

  it('decides proposals pending before it joined, and those left to people when the rules change', async () => {
    await using space = await startTestSpace();
    const early = space.agent.propose('tools/call', call('write_file', '/home/a'), { id: 'early' });
    await early.accepted;
    const { steward, until } = startTestSteward(await space.join('steward'), RULES);
    await until(decided('early', 'left'));
    steward.use(rulesOf('rules: [{ action: allow, match: { arguments: { path: /home/** } } }]'));
    await early;
    await until(decided('early', 'fulfilled'));
    expect(space.ran).toEqual(['write_file /home/a']);
  });

  it('O-13: judges amendments by others, too, and reports them', async () => {
    await using space = await startTestSpace();
    const { until } = startTestSteward(await space.join('steward'), RULES);
    const changed = space.agent.propose('tools/call', call('write_file', '/home/a'), { id: 'p1' });
    await until(decided('p1', 'left'));
    const person = await space.join('reviewer');
    const [proposal] = person.pending;
    if (proposal === undefined) throw new Error('nothing is pending');
    await person.fulfil(proposal, call('write_file', '/etc/passwd'));
    await changed;
    expect(await until(({ type }) => type === 'amended')).toMatchObject({
      by: 'reviewer',
      decision: { action: 'deny', rule: { name: 'no secrets' } },
    });
  });

  it('O-20: waits with a reserved proposal until it is opened', async () => {
    await using space = await startTestSpace();
    await space.join('reviewer');
    const { until } = startTestSteward(await space.join('steward'), RULES);
    const reserved = space.agent.propose('tools/call', call('read_file', '/a'), {
      id: 'p1',
      to: ['reviewer'],
      targeting: { preferred: ['reviewer'], exclusive: true, exclusive_timeout: 150 },
    });
    await until(decided('p1', 'left'));
    await reserved;
    expect(await history(space.agent, 'p1')).not.toContainEqual(
      expect.objectContaining({ kind: 'system.error' }),
    );
    await until(decided('p1', 'fulfilled'));
  });

  it('O-26: waits until somebody serves the tool', async () => {
    await using space = await startTestSpace();
    const { events, until } = startTestSteward(
      await space.join('steward'),
      'rules: [{ action: allow, match: { tool: late_tool, server: helper } }]',
    );
    const waiting = space.agent.propose('tools/call', { name: 'late_tool' }, { id: 'p1' });
    await until(decided('p1', 'left'));
    // Whoever comes may be the one to run it; as long as nobody is, there is nothing more to report.
    await space.join('passer-by');
    const helper = await space.join('helper');
    await helper.serve([{ name: 'late_tool', handler: () => 'at last' }]);
    expect(await waiting).toMatchObject({ content: [{ text: 'at last' }] });
    expect(events.filter(decided('p1', 'left'))).toHaveLength(1);
  });

  it.each([
    ['which announces its tools again', true],
    ['which need not announce its tools again', false],
  ])('O-26: waits for a server that just lost the connection, %s', async (_, announces) => {
    await using space = await startTestSpace();
    const { until } = startTestSteward(
      await space.join('steward'),
      'rules: [{ action: allow, match: { tool: late_tool, server: helper } }]',
    );
    const tools = [{ name: 'late_tool', handler: () => 'at last' }];
    const helper = await space.join('helper');
    await helper.serve(tools);
    const open = await space.connections();
    await helper.close();
    await expect.poll(() => space.connections()).toBe(open - 1);
    let reasons = 0;
    space.agent.on('message', ({ kind }) => {
      if (kind === 'mcpx.status.proposal') reasons++;
    });
    const waiting = space.agent.propose('tools/call', { name: 'late_tool' }, { id: 'p1' });
    waiting.catch(() => {});
    await expect.poll(() => reasons).toBe(1);
    const back = await space.join('helper');
    if (announces) await back.serve(tools);
    await until(decided('p1', 'fulfilled'));
    if (announces) expect(await waiting).toMatchObject({ content: [{ text: 'at last' }] });
    expect(reasons).toBe(1);
  });

  it('O-12: two stewards run nothing twice', async () => {
    await using space = await startTestSpace();
    const both = [
      startTestSteward(await space.join('steward'), RULES),
      startTestSteward(await space.join('steward'), RULES),
    ];
    const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);
    await Promise.all(
      ids.map((id) => space.agent.propose('tools/call', call('read_file', `/${id}`), { id })),
    );
    for (const { until } of both) {
      for (const id of ids) await until((event) => event.type === 'decided' && event.proposal.id === id);
    }
    expect(space.ran).toHaveLength(10);
    const outcomes = both.flatMap(({ events }) =>
      events.map((event) => event.type === 'decided' && event.outcome),
    );
    expect(outcomes.filter((outcome) => outcome === 'fulfilled')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'late')).toHaveLength(10);
  });

  it('I-4: runs nothing if it may not record the reason, and leaves it to people', async () => {
    await using space = await startTestSpace();
    const { until } = startTestSteward(await space.join('helper'), RULES);
    space.agent.propose('tools/call', call('read_file', '/a'), { id: 'p1' }).catch(() => {});
    expect(await until(decided('p1', 'failed'))).toMatchObject({ error: { code: 'capability_violation' } });
    expect(space.ran).toEqual([]);
  });

  it('decides nothing after it was stopped', async () => {
    await using space = await startTestSpace();
    const first = await space.join('steward');
    const stopped = startTestSteward(first, RULES);
    stopped.steward.stop();
    await space.agent.propose('tools/call', call('read_file', '/a'), { id: 'p1' }).accepted;
    const { until } = startTestSteward(await space.join('steward'), RULES);
    await until(decided('p1', 'fulfilled'));
    expect(stopped.events).toEqual([]);
  });

  it("O-28: decides alone within the policy's limits, reason first; beyond them it leaves the proposal to people and says why", async () => {
    const agents = '{ from: [steward], per_hour: 1, within: { path: { one_of: [/tmp/a, /tmp/b] } } }';
    const entry = `{ name: writes, call: "mcp.request.tools/call:write_file", approvals: 2, from: [ann, bob], agents: ${agents} }`;
    await using space = await startTestSpace(`spaces: { main: { review: [${entry}] } }\n`);
    const steward = startTestSteward(await space.join('steward'), RULES);
    const first = space.agent.propose('tools/call', call('write_file', '/tmp/a'));
    await first;
    const told = (await history(space.agent, first.id)).map(({ kind }) => kind);
    expect(told.slice(0, 3)).toEqual([
      'mcp.proposal.tools/call',
      'mcpx.status.proposal',
      expect.stringMatching(/^system\.notice|^mcp\.request/),
    ]);
    for (const [path, why] of [
      ['/tmp/b', 'the limit is 1'],
      ['/tmp/c', 'outside the range that agents may approve without people'],
    ] as const) {
      const left = space.agent.propose('tools/call', call('write_file', path));
      await steward.until(decided(left.id, 'left'));
      const said = (await history(space.agent, left.id)).find(
        ({ payload }) => payload['status'] === 'unable',
      );
      expect(said?.payload['message']).toContain('Left to people.');
      expect(said?.payload['message']).toContain(why);
      await left.withdraw();
      await expect(left).rejects.toThrow(/withdrawn/);
    }
    expect(space.ran).toHaveLength(1);
  });
});
