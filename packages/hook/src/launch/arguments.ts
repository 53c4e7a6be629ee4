import { defined } from '@proffer/core/json';
import { DEFAULT_WAIT } from './protocol.js';
import type { WhenUnavailable } from './undecided.js';

/** The arguments of a hook command. */
export interface LaunchArguments {
  readonly agent: string;
  readonly event: string;
  readonly wait: number;
  readonly otherwise: WhenUnavailable;
  /** The guards' folder, if not the default. */
  readonly data?: string;
}

/**
 * Parses `AGENT EVENT [--wait SECONDS] [--otherwise ask|deny] [--data FOLDER]`. Errors fall back to
 * the stricter value: there is no one to report them to.
 */
export function readArguments([agent = '', event = '', ...options]: readonly string[]): LaunchArguments {
  const value = (name: string): string | undefined => {
    const at = options.indexOf(name);
    return at === -1 ? undefined : options[at + 1];
  };
  const seconds = Number(value('--wait') ?? DEFAULT_WAIT / 1_000);
  const data = value('--data');
  return {
    agent,
    event,
    wait: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000,
    otherwise: (value('--otherwise') ?? 'ask') === 'ask' ? 'ask' : 'deny',
    ...defined({ data }),
  };
}
