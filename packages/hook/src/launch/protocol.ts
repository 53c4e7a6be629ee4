// Imported by the launcher, whose start-up time every call pays: it imports none of our modules but
// this.
import type { WhenUnavailable } from './undecided.js';

/** What a launcher sends first, as a line of JSON; followed by the given number of event bytes. */
export interface LaunchHeader {
  readonly agent: string;
  readonly event: string;
  /** How long the agent waits, in milliseconds. */
  readonly wait: number;
  readonly otherwise: WhenUnavailable;
  readonly length: number;
  /**
   * What the agent says about itself in the environment of its hooks: some of {@link
   * VERSION_VARIABLES}.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The process that started the launcher: the agent, or a shell that it runs hooks with. */
  readonly parent?: number;
}

/** The variables that contain agents' versions. */
export const VERSION_VARIABLES: readonly string[] = ['AI_AGENT', 'COPILOT_CLI_BINARY_VERSION'];

/** The report of `hook test`, which runs nothing: sent with the sample event after it was answered. */
export const TRIED_EVENT = 'AfterToolTried';

/** The largest accepted event, in bytes. */
export const MAX_BYTES = 16_777_216;

/** How long a person has to decide by default, in milliseconds. */
export const DEFAULT_WAIT = 600_000;

/** Where launchers find the resident process. */
export function socketIn(folder: string): string {
  if (process.platform !== 'win32') return `${folder}/hook/hook.sock`;
  return `\\\\.\\pipe\\proffer-hook-${Buffer.from(folder).toString('hex').slice(-200)}`;
}
