/** Programs that run the rest of their words as a command, and their options. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'sudo',
    {
      letters: 'AbBEHkKnPSv',
      valued: 'ugphCTrtUDRa',
      flags: ['non-interactive', 'preserve-env', 'set-home', 'background', 'stdin'],
      long: ['user', 'group', 'prompt', 'chdir', 'host', 'role', 'type'],
      assigns: true,
    },
  ],
  ['doas', { letters: 'nL', valued: 'uC' }],
  [
    'env',
    {
      letters: 'i0v',
      valued: 'uCPa',
      flags: ['ignore-environment', 'null', 'debug'],
      long: ['unset', 'chdir', 'argv0'],
      assigns: true,
    },
  ],
  ['nice', { valued: 'n', long: ['adjustment'], numbers: true }],
  ['ionice', { letters: 't', valued: 'cn', long: ['class', 'classdata'] }],
  ['nohup', {}],
  ['setsid', { letters: 'cfw', flags: ['ctty', 'fork', 'wait'] }],
  ['stdbuf', { valued: 'ioe', long: ['input', 'output', 'error'] }],
  [
    'timeout',
    {
      letters: 'v',
      valued: 'sk',
      flags: ['foreground', 'preserve-status', 'verbose'],
      long: ['signal', 'kill-after'],
      operands: 1,
    },
  ],
  ['time', { letters: 'paqv', valued: 'fo', long: ['format', 'output'] }],
  ['taskset', { letters: 'ac', flags: ['cpu-list', 'all-tasks'], operands: 1 }],
  ['command', { letters: 'p', describes: 'vV' }],
  ['builtin', {}],
  ['exec', { letters: 'cl', valued: 'a' }],
  ['busybox', {}],
  ['toybox', {}],
  [
    'xargs',
    {
      letters: '0rtxopi',
      valued: 'adEILnPs',
      flags: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty'],
      long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'replace'],
      appends: true,
    },
  ],
]);

/**
 * How a program's own options are separated from the command it runs. With an option that is not listed,
 * what follows is unclear: it may take a value, or be an abbreviation.
 */
export interface Wrapper {
  /** One-letter options without a value. */
  readonly letters?: string;
  /** One-letter options with a value, in the same word or the next. */
  readonly valued?: string;
  /** Long options without a value. */
  readonly flags?: readonly string[];
  /** Long options with a value, in the same word or the next. */
  readonly long?: readonly string[];
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

/** Programs that run something that their words do not name in full. */
export const OPAQUE: ReadonlySet<string> = setOf(
  'parallel script flock unshare chroot nsenter strace ltrace gdb valgrind perf',
  'fish csh tcsh pwsh powershell expect screen tmux at batch crontab systemd-run',
);

/**
 * What bash, dash, zsh and busybox do themselves, but for the few that only print, look or change the
 * folder. These may set variables, evaluate their words, even in
 * quotes (`test -v 'a[$(id)]'`), or change what runs after them.
 */
export const BUILTINS: ReadonlySet<string> = setOf(
  '. [ [[ alias autoload bg bind bindkey break bye caller chdir compadd comparguments compcall compctl',
  'compdescribe compfiles compgen compgroups complete compopt compquote compset comptags comptry',
  'compvalues continue declare dirs disable disown echotc echoti emulate enable end eval exit export fc',
  'fg float foreach functions getln getopts hash help history integer jobs kill let limit local log logout',
  'mapfile nocorrect noglob popd print printf private pushd pushln r read readarray readonly rehash repeat',
  'return sched set setopt shift shopt source suspend test times trap ttyctl typeset ulimit umask unalias',
  'unfunction unhash unlimit unset unsetopt vared wait whence where zcompile zformat zle zmodload',
  'zparseopts zregexparse zstyle - ]',
);

/** Builtins that set variables for later commands. */
export const SETTING: ReadonlySet<string> = setOf('export declare typeset readonly local set read');

/** Builtins that change the folder. */
export const MOVING: ReadonlySet<string> = setOf('cd chdir pushd popd');

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
