/** What the exit code of every command means. A promise to scripts: added to, never changed. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  timedOut: 4,
  unknown: 5,
  cutOff: 6,
  fault: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The same for people, at the end of `--help`. */
export const EXIT_CODES = `Exit codes:
  0    done; what was waited for ended well
  1    refused, rejected, withdrawn, failed; or damage or a fault was found
  2    the command line or the configuration is wrong
  3    the gateway cannot be reached
  4    time ran out: the proposal expired, or --timeout passed
  5    the outcome is unknown: it was run or it was not, and nobody can tell
  6    verify: the journal is whole up to a last write that was cut off
  70   a fault in proffer itself
  130  interrupted (Ctrl-C)`;
