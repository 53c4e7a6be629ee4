import { describe, expect, it } from 'vitest';
import { sampleNotification } from '../content/notification.js';
import { terminal } from './terminal.js';

const LINK = 'https://proffer.example/console/main/inbox/p-1';
const NOTIFICATION = {
  ...sampleNotification('reviewer', LINK, 0),
  title: '-t agent asks: call $(rm)',
};
const signal = AbortSignal.timeout(20_000);

describe('the terminal', () => {
  it('rings on a terminal, and writes only the text to a file', async () => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    await terminal({ write, isTTY: true }).deliver(NOTIFICATION, signal);
    expect(written).toBe(`\u0007\u001b]9;${NOTIFICATION.title}\u0007${NOTIFICATION.title}  ${LINK}\n`);
    written = '';
    await terminal({ write, isTTY: false }).deliver(NOTIFICATION, signal);
    expect(written).toBe(`${NOTIFICATION.title}  ${LINK}\n`);
  });
});
