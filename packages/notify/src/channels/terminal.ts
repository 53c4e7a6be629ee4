import { section } from '@proffer/gateway/fields';
import type { Channel, ChannelType } from './channel.js';

/** Where lines go: a terminal, or something that stores them. */
export interface TerminalSettings {
  readonly write: (text: string) => void;
  /** Whether it is a terminal. A file or a pipe gets only the text. */
  readonly isTTY: boolean;
}

/**
 * Prints a line where the gateway runs, and rings the bell. Terminals that support OSC 9 also show it
 * on the desktop.
 */
export function terminal({ write, isTTY }: TerminalSettings): Channel {
  return {
    check: () => Promise.resolve(undefined),
    // The output may end up in a log.
    isPrivate: false,
    reportsOutcomes: true,
    deliver({ kind, title, link }) {
      const ring = kind === 'ended' || !isTTY ? '' : `\u0007\u001b]9;${title}\u0007`;
      write(`${ring}${title}  ${link}\n`);
      return Promise.resolve({ ok: true });
    },
  };
}

/** `type: terminal`. */
export const terminalChannel: ChannelType<object> = {
  fields: section<object>({}),
  open: () => terminal({ write: (text) => process.stderr.write(text), isTTY: process.stderr.isTTY }),
};
