import { type JsonObject } from '@proffer/core/json';
import { decisionOn } from '@proffer/core/operations';
import { verifyStream } from '@proffer/core/records';
import { expectThat, line, type Story } from '../story.js';
import { openSpace } from './space.js';

const PARTICIPANTS = {
  agent: ['mcp.proposal.*', 'mcpx.withdraw.proposal', 'chat.message'],
  reviewer: ['*'],
  tools: ['mcp.response.*', 'mcpx.announce.tools'],
};

const call = (path: string) => ({
  method: 'tools/call',
  params: { name: 'write_file', arguments: { path, text: 'hello' } },
});

/** From the proposal to the result, and four ways for a call not to run. */
export const proposalLifecycle: Story = {
  title: 'An operation',
  about: 'An agent that may not write files proposes it; a reviewer decides; it runs once.',
  tell(print) {
    const space = openSpace(PARTICIPANTS);

    function say(from: string, what: string, message: JsonObject): string | undefined {
      const { records, refused } = space.say(from, message);
      const types = records.map(({ type }) => type).join(', ');
      const outcome = refused === undefined ? `→ ${types}` : `✗ ${refused.code}: ${refused.message}`;
      print(line(from, what, outcome));
      return refused?.code;
    }

    say('tools', 'announces', {
      id: 'n1',
      kind: 'mcpx.announce.tools',
      payload: { tools: [{ name: 'write_file' }] },
    });

    const direct = { id: 'r1', kind: 'mcp.request.tools/call', to: ['tools'], payload: call('/srv/a') };
    const forbidden = say('agent', 'calls', direct);
    expectThat(forbidden === 'capability_violation', 'the agent may not call a tool');

    say('agent', 'proposes p1', {
      id: 'p1',
      kind: 'mcp.proposal.tools/call:write_file',
      payload: call('/srv/a'),
    });
    say('reviewer', 'considers', {
      id: 's1',
      kind: 'mcpx.status.proposal',
      correlationId: 'p1',
      payload: { status: 'considering' },
    });

    const fulfilment = { kind: 'mcp.request.tools/call', correlationId: 'p1', payload: call('/srv/notes/a') };
    const own = say('agent', 'fulfils p1', { ...fulfilment, id: 'f0' });
    expectThat(own === 'capability_violation', 'a proposal gives no permission');
    say('reviewer', 'fulfils p1', { ...fulfilment, id: 'f1' });
    const twice = say('reviewer', 'fulfils p1', { ...fulfilment, id: 'f2' });
    expectThat(twice === 'proposal_not_pending', 'the first fulfilment wins');
    say('tools', 'answers', {
      id: 'a1',
      kind: 'mcp.response.tools/call',
      correlationId: 'f1',
      payload: { result: { content: [{ type: 'text', text: 'written' }] } },
    });

    say('agent', 'proposes p2', {
      id: 'p2',
      kind: 'mcp.proposal.tools/call:write_file',
      payload: { ...call('/srv/b'), ttl: 60_000 },
    });
    const { records } = space.wait(60_000);
    print(line('a minute', 'passes', `→ ${records.map(({ type }) => type).join(', ')}`));

    const first = space.proposal('p1');
    const second = space.proposal('p2');
    expectThat(first?.phase === 'settled' && first.outcome?.result === 'ok', 'p1 ran and succeeded');
    expectThat(second?.phase === 'expired', 'p2 expired');
    const [amendment] = first.fulfilment?.amendment ?? [];
    expectThat(amendment?.path === '/arguments/path', 'the reviewer changed the path');
    const stream = space.journal.filter((record) => record.stream === 'main/proposal/p1');
    expectThat(verifyStream(stream).ok, 'the stream verifies');

    print('');
    print(
      `  p1 was ${decisionOn(first)?.decision} by ${decisionOn(first)?.by} and ended ${first.outcome.result}.`,
    );
    print(
      `  The reviewer changed ${amendment.path}: ${JSON.stringify(amendment.before)} → ${JSON.stringify(amendment.after)}.`,
    );
    print(`  ${space.journal.length} records; the ${stream.length} of p1 are chained by hash and verify.`);
  },
};
