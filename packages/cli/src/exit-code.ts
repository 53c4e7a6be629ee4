/** The meaning of the exit codes. A promise to scripts: codes are added, never changed. */
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

/** The exit codes in words, at the end of `--help`. */
export const EXIT_CODES = `Exit codes:
  0    success
  1    refused, rejected, withdrawn or failed; or a problem was found
  2    wrong usage or configuration
  3    the gateway cannot be reached
  4    timed out: the proposal expired, or --timeout passed
  5    unknown outcome: it may or may not have run
  6    verify: the last write was cut off; everything before it is intact
  70   internal error in proffer
  130  interrupted (Ctrl-C)`;
