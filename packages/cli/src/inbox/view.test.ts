import { describe, expect, it } from 'vitest';
import { whyNotApprove } from '../proposals/may-approve.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { createStyle } from '../terminal/shell.js';
import { displayWidth } from '../terminal/visible.js';
import { EMPTY_INBOX, whenConnected } from './state.js';
import { proposalOf } from './testing/keyboard.js';
import { drawInbox } from './view.js';

const draw = (width: number, changes: Partial<typeof EMPTY_INBOX>) =>
  drawInbox(
    { ...EMPTY_INBOX, ...changes },
    { width, height: 12, style: createStyle(false), now: 0, title: 'main at http://127.0.0.1:7420' },
  ).lines;

const PROPOSAL = {
  id: 'p\u202e1',
  proposer: 'agent',
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x\u200b\n'.repeat(50) } },
  proposedAt: 0,
  rejections: { reviewer: { reason: 'busy', at: 0 } },
  statuses: {},
  approvals: [],
  escalatedTo: [],
  phase: 'pending',
} as unknown as ProposalView;

describe('inbox screen', () => {
  it('shows in each row who is behind the proposal, and searches by that', () => {
    const origin = { client: 'claude-code', version: '2.1', user: 'alice' };
    const proposals = [PROPOSAL, { ...PROPOSAL, id: 'p2', origin }];
    expect(draw(120, { proposals }).join('\n')).toContain('agent for claude-code 2.1 (alice)');
    const found = draw(120, { proposals, search: 'Alice' }).find((line) => line.includes('tools/call'));
    expect(found).toContain('(alice)');
  });

  it.each([40, 50, 60, 70, 80, 100, 140])(
    'fits the head into %i columns with the state of the connection',
    (width) => {
      const proposals = [{ ...PROPOSAL, rejections: {} }, PROPOSAL];
      for (const connected of [true, false]) {
        const [head = ''] = draw(width, { connected, proposals });
        expect(head).toMatch(width < 60 && !connected ? /./ : / 2 /);
        expect(head).toContain(connected ? '● live' : '○ connection lost; retrying');
        expect(displayWidth(head)).toBeLessThanOrEqual(width);
      }
    },
  );

  it('never wraps typed text, and shows its end', () => {
    const text = `text=${'long '.repeat(40)}end`;
    const foot = draw(60, { prompt: { purpose: 'set', text } }).at(-1) ?? '';
    expect(foot).toContain('long end█');
    expect(displayWidth(foot)).toBeLessThanOrEqual(60);
  });

  it.each([8, 12, 24])('has exactly %i lines, none of them too wide', (height) => {
    const note = {
      text: 'No gateway answers at http://127.0.0.1:7420 (gone). '.repeat(9),
      tone: 'bad',
    } as const;
    for (const proposals of [[], [PROPOSAL], Array.from({ length: 30 }, () => PROPOSAL)]) {
      for (const prompt of [undefined, 'reject', 'set', 'search', 'gone'] as const) {
        const typed = prompt === undefined ? {} : { prompt: { purpose: prompt, text: 'why '.repeat(30) } };
        const { lines } = drawInbox(
          { ...EMPTY_INBOX, proposals, selected: PROPOSAL.id, note, ...typed },
          { width: 40, height, style: createStyle(false), now: 1000, title: 'main at http://127.0.0.1:7420' },
        );
        expect(lines).toHaveLength(height);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
        expect(lines.join('')).not.toMatch(/[\u202e\u200b]/);
      }
    }
  });

  it.each([40, 60, 100])('names every deciding key and the exit key at %i columns', (width) => {
    const keys = draw(width, {}).at(-1) ?? '';
    for (const key of ['a approve', 'e edit', 's set', 'r reject', '? help', 'q'])
      expect(keys).toContain(key);
    expect(displayWidth(keys)).toBeLessThanOrEqual(width);
  });

  it('wraps an error instead of cutting it', () => {
    const text = 'No gateway answers at http://127.0.0.1:7420 (connect ECONNREFUSED 127.0.0.1:7420).';
    expect(draw(40, { note: { text, tone: 'bad' } }).slice(-4, -1)).toEqual([
      'No gateway answers at',
      'http://127.0.0.1:7420 (connect',
      'ECONNREFUSED 127.0.0.1:7420).',
    ]);
  });

  it('clears the note about a missing gateway when it is back', () => {
    const about = { text: 'No gateway answers.', tone: 'bad', isAboutConnection: true } as const;
    const done = { text: 'echo is done', tone: 'good' } as const;
    const lost = { ...EMPTY_INBOX, connected: false };
    expect(whenConnected({ ...lost, note: about })).toEqual(EMPTY_INBOX);
    expect(whenConnected({ ...lost, note: done })).toEqual({ ...EMPTY_INBOX, note: done });
  });

  it('shows the position of the selection, and the search text', () => {
    const proposals = Array.from({ length: 67 }, (_, index) => proposalOf(`p${index + 1}`));
    expect(draw(60, { proposals, selected: 'p8' }).join('\n')).toContain('── 8 of 67 ──');
    expect(draw(60, { proposals, more: 5, selected: 'p8' }).join('\n')).toContain('── 8 of 72 ──');
    const found = draw(60, { proposals, selected: 'p60', search: 'p6' }).join('\n');
    expect(found).toContain('── 2 of 9 matching "p6" ──');
    expect(draw(60, { proposals, search: 'zzz' }).join('\n')).toContain('Nothing matches "zzz"');
  });

  it('names the server and its description of the tool, and marks what the reader may not approve', () => {
    const mayDoNothing = { id: 'me', capabilities: [], serves: {} };
    const serves = { tools: [{ name: 'echo', description: 'Repeats a text.\nRuns on my laptop.' }] };
    const members = [mayDoNothing, { id: 'laptop', capabilities: [], serves }];
    const { lines } = drawInbox(
      { ...EMPTY_INBOX, proposals: [proposalOf('p1')], selected: 'p1', drafts: new Map([['p1', {}]]) },
      {
        width: 100,
        height: 20,
        style: createStyle(false),
        now: 0,
        title: '',
        members,
        whyNot: whyNotApprove(mayDoNothing),
      },
    );
    const screen = lines.join('\n');
    expect(screen).toContain('✎ ⊘ echo');
    expect(screen).toContain('runs on laptop, which says: Repeats a text. ↵ Runs on my laptop.');
    expect(screen).toContain('⊘ You may not approve this: me lacks the capability mcp.request.tools/call');
  });

  it('lists every key and every mark in the help', () => {
    const help = draw(80, { isHelpOpen: true }).join('\n');
    for (const text of ['Home End', 'search', 'approve', 'Esc']) expect(help).toContain(text);
    expect(draw(80, { isHelpOpen: true }).at(-1)).toContain('any key');
  });

  it('also counts pending proposals that are not listed', () => {
    expect(draw(80, { more: 312 })[0]).toContain('312 pending');
  });

  const TOOL = {
    name: 'edit_file',
    annotations: { destructiveHint: true },
    inputSchema: { properties: { path: {}, edits: {}, dryRun: {} } },
  };
  const SERVER = { id: 'files', capabilities: [], serves: { tools: [TOOL] } };
  const CALL = proposalOf('p1', {
    subject: { list: 'tools', name: 'edit_file' },
    params: {
      name: 'edit_file',
      arguments: { dryRun: false, edits: [{ oldText: 'a\nb', newText: 'a\nc' }], path: '/x' },
    },
    expiresAt: 240_000,
  });
  const drawCall = (changes: Partial<typeof EMPTY_INBOX> = {}, proposal = CALL) =>
    drawInbox(
      { ...EMPTY_INBOX, proposals: [proposal], selected: 'p1', ...changes },
      { width: 140, height: 30, style: createStyle(false), now: 0, title: 'main', members: [SERVER] },
    ).lines.join('\n');

  it('shows risk and time left in the row, and on the card the reason, the order of the tool, and edits as a diff', () => {
    const screen = drawCall({ reasons: new Map([['p1', 'the test is red']]) });
    expect(screen).toMatch(/› 4m left +● agent +edit_file {2}path="\/x" edits=.* dryRun=false/);
    expect(screen).toContain('May destroy data: files says this tool may overwrite or delete.');
    expect(screen).toContain('because “the test is red”');
    expect(screen).toMatch(/ {2}path +"\/x"\s+edits\s+│ {3}a\s+│ - b\s+│ \+ c\s+dryRun {2}false/);
  });

  it('shows a change of a long text as a diff, and an edit that is the whole call', () => {
    const draft = { name: 'edit_file', arguments: { old_string: 'one\ntwo', new_string: 'one\n2' } };
    const replaced = { ...CALL, params: draft };
    expect(drawCall({}, replaced)).toMatch(/│ {3}one\s+│ - two\s+│ \+ 2/);
    const changed = { ...draft, arguments: { ...draft.arguments, new_string: 'one\nzwei' } };
    const screen = drawCall({ drafts: new Map([['p1', changed]]) }, replaced);
    expect(screen).toMatch(/\/arguments\/new_string\s+ {2}one\s+- 2\s+\+ zwei/);
  });

  it('hides a password in the name of a resource, in the row and on the card', () => {
    const uri = 'https://user:hunter2secret@host/x';
    const subject = { list: 'resources', name: uri } as const;
    const screen = drawCall({}, proposalOf('p1', { method: 'resources/read', subject, params: { uri } }));
    expect(screen).toContain('host/x');
    expect(screen).not.toContain('hunter2secret');
  });
});
