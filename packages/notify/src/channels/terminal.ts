import type { Channel } from './channel.js';

/** Rings and prints a line where the gateway runs. Terminals that know OSC 9 also show it on the desktop. */
export function terminal(write: (text: string) => void): Channel {
  return {
    check: () => Promise.resolve(undefined),
    tellsEndings: true,
    deliver({ kind, title, link }) {
      const ring = kind === 'ended' ? '' : `\u0007\u001b]9;${title}\u0007`;
      write(`${ring}${title}  ${link}\n`);
      return Promise.resolve({ ok: true });
    },
  };
}
