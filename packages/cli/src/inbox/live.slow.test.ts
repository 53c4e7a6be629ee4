import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOK_FIRST } from '@proffer/core/gesture';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { liveInbox } from './testing/live-inbox.js';

describe('live inbox', () => {
  it('O-11: shows a proposal as it arrives, approves it with a key, and shows the result', async () => {
    await using inbox = await liveInbox();
    await inbox.frame('Nothing is waiting for a decision', 'live');
    await inbox.propose('first', 'hello');
    await inbox.frame('1 pending', '› ', 'agent proposes echo', 'text  "hello"');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done: ');
    expect((await inbox.reviewer.proposal('first')).proposal).toMatchObject({
      phase: 'settled',
      fulfilment: { by: 'reviewer', amendment: [] },
    });
    inbox.press('q');
    expect(await inbox.ended).toBe(0);
    // The previous screen is back, with its cursor.
    expect(inbox.written().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  });

  it('O-29: keeps a proposal in the list when its approval is not enough, with who is missing', async () => {
    const review =
      "review: [{ call: 'mcp.request.tools/call:echo', approvals: 2, from: [reviewer, ann, bob] }]";
    await using inbox = await liveInbox({}, `dev: true\nspaces: { main: { ${review} } }`);
    await inbox.propose('both');
    await inbox.frame('1 pending', 'agent proposes echo');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    const words = '1 of 2 approvals, waiting for ann or bob';
    await inbox.frame('1 pending', '1/2 echo', `${words} (approved by reviewer)`, `Approved both: ${words}.`);
  });

  it('O-40, O-41: shows the conversation, offers changes, and allows for an hour', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('loud', 'LOUD');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('s');
    await inbox.frame('Set (such as text=hello)');
    inbox.press('text=softly\r');
    await inbox.frame('Your changes');
    inbox.press('c');
    await inbox.frame('Offer your changes because');
    inbox.press('people sleep\r');
    await inbox.frame('Your changes were offered to agent.', '↩ reviewer offers: people sleep');
    inbox.pass(LOOK_FIRST);
    inbox.press('h');
    await inbox.frame(
      'Later calls of echo run without approval, with any arguments.',
      'Allow: 1 for an hour  2 the next five times',
    );
    inbox.press('1');
    await inbox.frame('1 pending', 'agent may call echo for an hour.', 'still needs your decision');
    expect(await inbox.reviewer.grants()).toMatchObject([
      { to: 'agent', granter: 'reviewer', capabilities: ['mcp.request.tools/call:echo'] },
    ]);
  });

  it('O-23: reports an unknown outcome when the executor disappears after an approval', async () => {
    await using inbox = await liveInbox();
    const helper = await inbox.join('helper');
    await helper.serve([{ name: 'vanish', handler: () => new Promise(() => {}) }]);
    await inbox.propose('p1', 'p1', 'vanish');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('0 pending', 'Approved p1.');
    await helper.close();
    await inbox.frame('Nobody knows whether vanish ran. Check before you repeat it.');
  });

  it('O-13: shows a changed value before it is approved', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('draft', 'old');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('s');
    await inbox.frame('Set (such as text=hello)');
    inbox.press('nonsense\r');
    await inbox.frame('"nonsense" is not an assignment.', '→ For example: text=hello', 'nonsense█');
    inbox.press('\u007f'.repeat('nonsense'.length));
    inbox.press('text=new\r');
    await inbox.frame('Your changes', '- "old"', '+ "new"');
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done');
    expect(inbox.written()).not.toContain('has ended');
    const { proposal } = await inbox.reviewer.proposal('draft');
    expect(proposal.fulfilment?.amendment).toEqual([
      { path: '/arguments/text', before: 'old', after: 'new' },
    ]);
  });

  it('O-13: keeps staged changes while looking at another proposal, and runs them', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('one', 'old');
    await inbox.frame('1 pending');
    await inbox.propose('two');
    await inbox.frame('2 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('s');
    await inbox.frame('Set (such as');
    inbox.press('text=new\r');
    await inbox.frame('✎ echo', '+ "new"');
    // The newer one is above.
    inbox.press('\u001b[A');
    await inbox.frame('1 of 2', 'text  "two"');
    inbox.press('\u001b[B');
    await inbox.frame('2 of 2', '+ "new"');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('1 pending', 'echo is done: new');
    const { proposal } = await inbox.reviewer.proposal('one');
    expect(proposal.fulfilment?.amendment).toMatchObject([{ before: 'old', after: 'new' }]);
  });

  it('decides nothing by text that is typed or pasted', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('one');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    inbox.press('l');
    await inbox.frame('typed like text, so nothing was decided');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done');
  });

  it('approves a long call only after all of it was on the screen', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('long', Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n'));
    await inbox.frame('1 pending', '│ line 3', 'more: Space');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('Not approved', 'have not been shown');
    for (const last of ['line 26', 'line 39']) {
      inbox.press(' ');
      await inbox.frame(last);
    }
    inbox.press('\u001b[6~');
    await inbox.frame('↑ PgUp');
    inbox.press('a');
    await inbox.frame('0 pending', 'echo is done');
  });

  it('O-17: r asks for a reason and sends it; the proposal stays pending for others, and the cursor moves on', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('unwanted');
    await inbox.frame('1 pending');
    await inbox.propose('next');
    await inbox.frame('2 pending', 'text  "unwanted"');
    inbox.pass(LOOK_FIRST);
    inbox.press('r');
    await inbox.frame('Reject because');
    inbox.press('\r');
    await inbox.frame('A rejection needs a reason', 'Reject because');
    inbox.press('policy: not today\r');
    await inbox.frame(
      '2 pending, 1 of them rejected',
      'Rejected unwanted. This call stays pending unless agent withdraws it.',
      'text  "next"',
    );
    inbox.resize(40, 24);
    const narrow = await inbox.frame(/Proffer inbox {2}2 {2}● live/);
    expect(narrow).toContain('✗ echo');
    // A new live view has the same list.
    expect((await inbox.reviewer.pending()).proposals).toHaveLength(2);
    const { proposal } = await inbox.reviewer.proposal('unwanted');
    expect(proposal.rejections).toMatchObject({ reviewer: { reason: 'policy', message: 'not today' } });
  });

  it('O-13: s rejects an unknown argument name, keeps the typed text, and + adds it', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('slip', 'old');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('s');
    await inbox.frame('Set (such as');
    inbox.press('texxt=new\r');
    await inbox.frame('no argument "texxt"', '→ text=new (did you mean this?)', 'texxt=new█');
    inbox.press(`${'\u007f'.repeat(9)}+more=1\r`);
    await inbox.frame('Your changes', '/arguments/more');
  });

  it('reports a key that does nothing, and e without an editor', async () => {
    await using inbox = await liveInbox();
    await inbox.frame('Nothing is waiting');
    inbox.press('a');
    await inbox.frame('There is nothing to decide.');
    inbox.press('x');
    await inbox.frame('Unknown key.');
    await inbox.propose('one');
    await inbox.frame('1 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('e');
    await inbox.frame('EDITOR is not set', 'Set (such as');
  });

  it('never applies a key meant for one proposal to the next under the cursor', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('one');
    await inbox.frame('1 pending');
    await inbox.propose('two');
    await inbox.frame('2 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('1 pending', 'text  "two"');
    inbox.press('aaaa');
    await inbox.frame('look first');
    expect((await inbox.reviewer.proposal('two')).proposal.phase).toBe('pending');
  });

  it('keeps text from a proposal from drawing on the screen', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('evil', 'x\u001b[2J\u202eyx'.repeat(30));
    const frame = await inbox.frame('1 pending', '⋮');
    expect(frame.replaceAll('\u001b[K\r\n', '').replaceAll('\u001b[K', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  it('discards what is typed about a proposal that ends meanwhile', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('first');
    await inbox.frame('1 pending');
    await inbox.propose('second');
    await inbox.frame('2 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('r');
    await inbox.frame('Reject because');
    inbox.press('uns');
    await inbox.withdraw('first', 'not needed');
    await inbox.frame('1 pending', 'has ended. agent withdrew this call (not needed).', 'Press Enter or Esc');
    inbox.pass(LOOK_FIRST);
    // The rest of the typed text: each of these letters is a key too.
    inbox.press('afe and aq');
    inbox.press('\r');
    await inbox.frame('1 pending', 'a approve');
    expect((await inbox.reviewer.proposal('second')).proposal.phase).toBe('pending');
    inbox.press('a');
    await inbox.frame('0 pending');
  });

  it('tells a reader returning from the editor that it was decided, and requires a look before the next decision', async () => {
    await using folder = await temporaryFolder();
    const begun = join(folder.path, 'begun');
    const goOn = join(folder.path, 'go-on');
    const editor = `touch ${begun}; until [ -e ${goOn} ]; do sleep 0.05; done; true`;
    await using inbox = await liveInbox({ EDITOR: editor });
    await inbox.propose('edited');
    await inbox.frame('1 pending');
    await inbox.propose('next');
    await inbox.frame('2 pending');
    inbox.pass(LOOK_FIRST);
    inbox.press('e');
    await vi.waitUntil(() => existsSync(begun), 20_000);
    await inbox.withdraw('edited');
    await inbox.heard(1);
    inbox.pass(10 * LOOK_FIRST);
    await writeFile(goOn, '');
    await inbox.frame('1 pending', 'edited ended while you were editing it. agent withdrew this call.');
    inbox.press('a');
    await inbox.frame('look first');
    expect((await inbox.reviewer.proposal('next')).proposal.phase).toBe('pending');
  });

  it('clears a note after ten seconds, and not before', async () => {
    await using inbox = await liveInbox();
    await inbox.frame('Nothing');
    inbox.press('%');
    await inbox.frame('Unknown key.');
    inbox.pass(10_000);
    await inbox.frame('Unknown key.');
    inbox.pass(1);
    await inbox.frame(/^(?!.*Unknown key)/s);
  });

  it('O-26: says why a call could not run now: its executor is gone, or nobody serves it', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('call-0a1b');
    await inbox.frame('! echo', '! agent is not connected');
    await inbox.withdraw('call-0a1b');
    await inbox.propose('served');
    const served = await inbox.frame('agent proposes echo', 'served');
    expect(served).not.toContain('! ');
    await inbox.withdraw('served');
    await inbox.propose('unserved', 'x', 'nosuch');
    await inbox.frame('! nosuch', '! nobody serves it now');
    inbox.pass(LOOK_FIRST);
    inbox.press('a');
    await inbox.frame('Nobody here serves "nosuch".', '→ Start a participant that serves it');
  });

  it('adapts to the size of the terminal', async () => {
    await using inbox = await liveInbox();
    await inbox.propose('one');
    await inbox.frame('1 pending');
    inbox.resize(50, 9);
    const frame = await inbox.frame(/^.{0,60}● live/);
    const lines = frame.split('\u001b[K\r\n');
    expect(lines).toHaveLength(9);
    // Below the title, and below what waits at another gateway of this machine.
    expect(lines).toContain('─'.repeat(50));
  });
});
