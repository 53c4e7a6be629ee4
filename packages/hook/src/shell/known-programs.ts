/** Programs that run the rest of their words as a command, and their options that take a value. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'sudo',
    {
      valued: 'ugphCTrtUDRa',
      long: ['user', 'group', 'prompt', 'chdir', 'host', 'role', 'type'],
      flags: ['non-interactive', 'preserve-env', 'set-home', 'background', 'stdin'],
      opaque: 'sie',
      assigns: true,
    },
  ],
  ['doas', { valued: 'uC', opaque: 's' }],
  [
    'env',
    {
      valued: 'uCPa',
      long: ['unset', 'chdir', 'argv0'],
      flags: ['ignore-environment', 'null', 'debug'],
      opaque: 'S',
      assigns: true,
    },
  ],
  ['nice', { valued: 'n', long: ['adjustment'], numbers: true }],
  ['ionice', { valued: 'cn', long: ['class', 'classdata'] }],
  ['nohup', {}],
  ['setsid', { flags: ['ctty', 'fork', 'wait'] }],
  ['stdbuf', { valued: 'ioe', long: ['input', 'output', 'error'] }],
  [
    'timeout',
    {
      valued: 'sk',
      long: ['signal', 'kill-after'],
      flags: ['foreground', 'preserve-status', 'verbose'],
      operands: 1,
    },
  ],
  ['time', { valued: 'fo', long: ['format', 'output'] }],
  ['taskset', { operands: 1, flags: ['cpu-list', 'all-tasks'], opaque: 'p' }],
  ['command', { describes: 'vV' }],
  ['builtin', {}],
  ['exec', { valued: 'a' }],
  ['busybox', {}],
  ['toybox', {}],
  [
    'xargs',
    {
      valued: 'adEILnPs',
      long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'replace'],
      flags: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty'],
      appends: true,
    },
  ],
]);

/** How a program's own options are separated from the command it runs. */
export interface Wrapper {
  /** One-letter options with a value, in the same word or the next. */
  readonly valued?: string;
  /** Long options with a value, in the same word or the next. */
  readonly long?: readonly string[];
  /**
   * Long options without a value. Any other may be an abbreviation of one with a value, so what follows
   * is unclear.
   */
  readonly flags?: readonly string[];
  /** One-letter options that start something unknown. */
  readonly opaque?: string;
  /** One-letter options with which nothing is run. */
  readonly describes?: string;
  /** The number of its own words before the command. */
  readonly operands?: number;
  /** Whether `NAME=VALUE` may come before the command. */
  readonly assigns?: boolean;
  /** Whether `-5` is an option. */
  readonly numbers?: boolean;
  /** Whether it adds unknown words. */
  readonly appends?: boolean;
}

/** Programs that run a text as a shell line. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh']);

/** Programs whose effect cannot be determined from the words alone. */
export const OPAQUE: ReadonlySet<string> = setOf(
  'alias unalias hash enable shopt source . bind complete fc mapfile readarray',
  'parallel script flock unshare chroot nsenter strace ltrace gdb valgrind perf',
  'fish csh tcsh pwsh powershell expect screen tmux at batch crontab systemd-run',
);

/** Builtins that evaluate their words, even in quotes: `let 'a[$(id)]=1'`. */
export const EVALUATING: ReadonlySet<string> = setOf(
  'let test [ printf read unset declare typeset local export readonly wait getopts',
);

/** Builtins that set variables for later commands. */
export const SETTING: ReadonlySet<string> = setOf('export declare typeset readonly local set read');

/** Builtins that change the folder. */
export const MOVING: ReadonlySet<string> = setOf('cd pushd popd');

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
