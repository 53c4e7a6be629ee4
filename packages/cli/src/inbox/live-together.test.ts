import { LOOK_FIRST } from '@proffer/core/gesture';
import { describe, expect, it } from 'vitest';
import { rejectionMessage } from '../connection/envelopes.js';
import { liveInbox } from './testing/live-inbox.js';

describe('live inbox, deciding more than one call', () => {
  it("O-41: allows an agent's call for its session, which then asks no more; another session still does", async () => {
    await using inbox = await liveInbox();
    const agent = await inbox.join('claude-code');
    const inSession = (session: string, text: string) =>
      agent.propose(
        'tools/call',
        { name: 'echo', arguments: { text } },
        { id: text, origin: { session }, reason: `to say ${text}` },
      );
    const first = inSession('s-1', 'one');
    await inbox.frame('1 pending', 'session s-1', 'because “to say one”');
    inbox.pass(LOOK_FIRST);
    inbox.press('h');
    await inbox.frame('3 for this session');
    inbox.press('3');
    // As in the console, this one still needs a decision.
    await inbox.frame(
      '1 pending',
      'claude-code may call echo for this session. one still needs your decision.',
    );
    inbox.press('a');
    await inbox.frame('0 pending');
    await first;
    expect(await inSession('s-1', 'two')).toMatchObject({ content: [{ text: 'two' }] });
    const other = inSession('s-2', 'three');
    await inbox.frame('1 pending', 'session s-2');
    await other.withdraw();
    await other.catch(() => {});
    await agent.close();
  });

  it('hides what looks like a secret; v reveals it, which is recorded, until the cursor leaves', async () => {
    await using inbox = await liveInbox();
    const agent = await inbox.join('builder');
    const login = agent.propose('tools/call', { name: 'echo', arguments: { password: 'correct horse' } });
    login.catch(() => {});
    await login.accepted;
    await inbox.frame('1 pending', 'builder proposes echo');
    await inbox.propose('other');
    expect(await inbox.frame('2 pending', 'v reveals it')).not.toContain('correct horse');
    inbox.press('v');
    await inbox.frame('"correct horse"', 'You revealed the hidden values. This is recorded.');
    const { history } = await inbox.reviewer.proposal(login.id);
    expect(history.at(-1)).toMatchObject({
      type: 'status_reported',
      message: { from: 'reviewer', payload: { status: 'revealed' } },
    });
    // The newer one is above.
    inbox.press('k');
    await inbox.frame('› ', 'agent proposes echo');
    inbox.press('j');
    expect(await inbox.frame('v reveals it')).not.toContain('correct horse');
    await agent.close();
  });

  it('O-34: d delegates one review, D all of them, and - takes it back', async () => {
    const review =
      "review: [{ call: 'mcp.request.tools/call:echo', approvals: 2, from: [reviewer, ann, bob] }]";
    await using inbox = await liveInbox({}, `dev: true\nspaces: { main: { ${review} } }`);
    await inbox.propose('both');
    await inbox.frame('1 pending', 'agent proposes echo');
    inbox.pass(LOOK_FIRST);
    inbox.press('h');
    await inbox.frame('A review policy requires approval of every call');
    inbox.press('d');
    await inbox.frame('Let someone review this in your place');
    inbox.press('cleo\r');
    await inbox.frame('Say who, and for how long, such as: bob 8h');
    inbox.press(' 2h\r');
    await inbox.frame('cleo reviews both in your place for 2h');
    inbox.press('D');
    await inbox.frame('Let someone review everything in your place');
    inbox.press('cleo for 1d\r');
    await inbox.frame('cleo reviews everything in your place for 1d');
    inbox.press('D');
    inbox.press('-\r');
    await inbox.frame('You review everything yourself again.');
  });

  it('O-17: says that a rejected call stays pending only until its proposer withdraws it', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('no');
    await inbox.frame('1 pending', 'agent proposes echo');
    inbox.pass(LOOK_FIRST);
    inbox.press('r');
    await inbox.frame('Reject because');
    inbox.press('too risky\r');
    await inbox.frame(
      '1 of them rejected',
      'Rejected no. This call stays pending unless agent withdraws it.',
    );
    await inbox.withdraw('no');
    expect(await inbox.frame('0 pending', 'Rejected no. agent withdrew this call')).not.toContain(
      'stays pending',
    );
  });

  it('O-35: shows similar calls of several agents together and approves them at once, except those that changed', async () => {
    await using inbox = await liveInbox();
    const other = await inbox.join('planner');
    await inbox.propose('a1', 'one');
    await inbox.propose('a2', 'two');
    const third = other.propose('tools/call', { name: 'echo', arguments: { text: 'three' } });
    await inbox.frame('3 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('B');
    await inbox.frame('3 calls of echo', 'the same in all of them', 'agent', 'planner');
    await inbox.reviewer.send(rejectionMessage(['a2'], 'unsafe', undefined));
    await inbox.frame('3 pending, 1 of them rejected', '3 calls of echo');
    inbox.press('x');
    await inbox.frame('Press a to approve all of them, Esc to go back.');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('1 pending', 'Approved 2 of 3. Left out:', '→ a2: ');
    expect(await third).toMatchObject({ content: [{ text: 'three' }] });
    const { proposal } = await inbox.reviewer.proposal('a2');
    expect(proposal).toMatchObject({ phase: 'pending', approvals: [] });
    await other.close();
  });
});
