import { describe, expect, it } from 'vitest';
import type { ProposalView } from '../connection/proposal-view.js';
import { createStyle } from '../terminal/style.js';
import { displayWidth } from '../terminal/width.js';
import { EMPTY_INBOX } from './state.js';
import { drawInbox } from './view.js';

const draw = (width: number, changes: Partial<typeof EMPTY_INBOX>) =>
  drawInbox(
    { ...EMPTY_INBOX, ...changes },
    { width, height: 12, style: createStyle(false), now: 0, title: 'main at http://127.0.0.1:7420' },
  );

describe('the screen of the inbox', () => {
  it.each([40, 50, 60, 70, 80, 100, 140])(
    'at %i columns, the head fits and says how the connection is',
    (width) => {
      const rejected = new Set(['one', 'two']);
      for (const connected of [true, false]) {
        const [head = ''] = draw(width, { connected, rejected });
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
    const proposal = {
      id: 'p\u202e1',
      proposer: 'agent',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x\u200b\n'.repeat(50) } },
      proposedAt: 0,
      rejections: { reviewer: { reason: 'busy', at: 0 } },
      statuses: {},
    } as unknown as ProposalView;
    for (const proposals of [[], [proposal], Array.from({ length: 30 }, () => proposal)]) {
      for (const prompt of [undefined, 'reject', 'set', 'gone'] as const) {
        const typed = prompt === undefined ? {} : { prompt: { purpose: prompt, text: 'why '.repeat(30) } };
        const lines = drawInbox(
          { ...EMPTY_INBOX, proposals, selected: proposal.id, ...typed },
          { width: 40, height, style: createStyle(false), now: 1000, title: 'main at http://127.0.0.1:7420' },
        );
        expect(lines).toHaveLength(height);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
        expect(lines.join('')).not.toMatch(/[\u202e\u200b]/);
      }
    }
  });

  it('counts also what is pending and not listed', () => {
    expect(draw(80, { more: 312 })[0]).toContain('312 pending');
  });
});
