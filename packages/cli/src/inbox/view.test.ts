import { describe, expect, it } from 'vitest';
import type { ProposalView } from '../connection/proposal-view.js';
import { createStyle } from '../terminal/style.js';
import { displayWidth } from '../terminal/width.js';
import { EMPTY_INBOX, whenConnected } from './state.js';
import { drawInbox } from './view.js';

const draw = (width: number, changes: Partial<typeof EMPTY_INBOX>) =>
  drawInbox(
    { ...EMPTY_INBOX, ...changes },
    { width, height: 12, style: createStyle(false), now: 0, title: 'main at http://127.0.0.1:7420' },
  );

const PROPOSAL = {
  id: 'p\u202e1',
  proposer: 'agent',
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x\u200b\n'.repeat(50) } },
  proposedAt: 0,
  rejections: { reviewer: { reason: 'busy', at: 0 } },
  statuses: {},
} as unknown as ProposalView;

describe('the screen of the inbox', () => {
  it.each([40, 50, 60, 70, 80, 100, 140])(
    'at %i columns, the head fits and says how the connection is',
    (width) => {
      const proposals = [{ ...PROPOSAL, rejections: {} }, PROPOSAL];
      for (const connected of [true, false]) {
        const [head = ''] = draw(width, { connected, proposals });
        expect(head).toMatch(width < 60 && !connected ? /./ : / 2 /);
        expect(head).toContain(connected ? '● live' : '○ the gateway is gone; trying again');
        expect(displayWidth(head)).toBeLessThanOrEqual(width);
      }
    },
  );

  it('what is typed never wraps, and its end is seen', () => {
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
      for (const prompt of [undefined, 'reject', 'set', 'gone'] as const) {
        const typed = prompt === undefined ? {} : { prompt: { purpose: prompt, text: 'why '.repeat(30) } };
        const lines = drawInbox(
          { ...EMPTY_INBOX, proposals, selected: PROPOSAL.id, note, ...typed },
          { width: 40, height, style: createStyle(false), now: 1000, title: 'main at http://127.0.0.1:7420' },
        );
        expect(lines).toHaveLength(height);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
        expect(lines.join('')).not.toMatch(/[\u202e\u200b]/);
      }
    }
  });

  it.each([40, 60, 100])('at %i columns, every deciding key and the way out are named', (width) => {
    const keys = draw(width, {}).at(-1) ?? '';
    for (const key of ['a approve', 'e edit', 's set', 'r reject', 'q quit']) expect(keys).toContain(key);
    expect(displayWidth(keys)).toBeLessThanOrEqual(width);
  });

  it('an error is wrapped, not cut', () => {
    const text = 'No gateway answers at http://127.0.0.1:7420 (connect ECONNREFUSED 127.0.0.1:7420).';
    expect(draw(40, { note: { text, tone: 'bad' } }).slice(-4, -1)).toEqual([
      'No gateway answers at',
      'http://127.0.0.1:7420 (connect',
      'ECONNREFUSED 127.0.0.1:7420).',
    ]);
  });

  it('what was said about a gateway that was gone is not said any more when it is back', () => {
    const about = { text: 'No gateway answers.', tone: 'bad', isAboutConnection: true } as const;
    const done = { text: 'echo is done', tone: 'good' } as const;
    const lost = { ...EMPTY_INBOX, connected: false };
    expect(whenConnected({ ...lost, note: about })).toEqual(EMPTY_INBOX);
    expect(whenConnected({ ...lost, note: done })).toEqual({ ...EMPTY_INBOX, note: done });
  });

  it('counts also what is pending and not listed', () => {
    expect(draw(80, { more: 312 })[0]).toContain('312 pending');
  });
});
