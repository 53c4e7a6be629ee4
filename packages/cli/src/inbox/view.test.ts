import { describe, expect, it } from 'vitest';
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
});
