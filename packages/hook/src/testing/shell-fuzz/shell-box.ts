import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that only note that they ran, and with what. */
const STUBS = ['ls', 'git', 'cat', 'zap', 'rm', 'id', 'more'];
/** Programs that run others. */
const REAL = ['sh', 'bash', 'dash', 'zsh', 'env', 'xargs', 'nice', 'timeout', 'nohup'];

/** What is in the folder that lines run in. */
const FILES = ['a', 'b c', '--output=x', '1-2', 'd/e', 'home/a'];

/** How each shell is started, and what lets it list files where there are none. */
const SHELLS: readonly { readonly start: readonly [string, ...string[]]; readonly lists?: string }[] = [
  { start: ['bash', '--norc', '--noprofile'] },
  { start: ['dash'] },
  { start: ['zsh', '-f'], lists: 'setopt localoptions nonomatch' },
  { start: ['busybox', 'sh'] },
];

/** Variables that mean harm when something evaluates them. */
const VARIABLES = { x: 'a[$(zap)]', X: '$(zap)', Y: '`zap`; zap', Z: '-l --output=evil *', y: 'a b' };

/** The name of the folder that a line runs in, wherever it is; the home folder is `home` in it. */
export const PLACE = '/place';

/** What became of a line in a shell. */
export interface Run {
  readonly shell: string;
  /** The programs that ran, each with its arguments. */
  readonly programs: readonly (readonly string[])[];
  /** Files that were not there before. */
  readonly written: readonly string[];
  readonly errors: string;
}

/**
 * A folder in which lines run in real shells. All programs in it only note that they ran. Lines must not
 * name programs by their absolute path.
 */
export interface ShellBox {
  /** The shells that are installed. */
  readonly shells: readonly string[];
  /** Runs each line in each shell. What a line wrote is removed before the next. */
  run(lines: readonly string[]): readonly (readonly Run[])[];
  close(): void;
}

/** How long a batch of lines may take, in milliseconds. */
const LONGEST = 600_000;

export function createShellBox(): ShellBox {
  const root = mkdtempSync(join(tmpdir(), 'proffer-shells-'));
  const [bin, place, log, errors] = ['bin', 'place', 'log', 'errors'].map((name) => join(root, name)) as Four;
  for (const folder of [bin, place, join(place, 'd'), join(place, 'home')]) mkdirSync(folder);
  for (const file of FILES) writeFileSync(join(place, file), '');
  const note = (...words: readonly string[]): string => `printf '%s\\0' ${words.join(' ')} >> ${quoted(log)}`;
  const run = (name: string): string => note('run', '$(($# + 1))', name, '"$@"');
  for (const name of STUBS) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${run(name)}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const shells = SHELLS.flatMap(({ start: [name, ...options], lists = ':' }) => {
    const path = pathOf(name);
    return path === undefined ? [] : [{ name, path, options, lists }];
  });
  for (const name of REAL) {
    const path = pathOf(name);
    if (path !== undefined) symlinkSync(path, join(bin, name));
  }

  // A function is found like a program, and starts faster.
  const functions = STUBS.map((name) => `${name}() { ${run(name)}; }`);
  const known = FILES.map((file) => `*/${quoted(file)}`).join('|');
  const listing = `for f in ${['*', '.*', 'd/*', 'home/*'].map((names) => `${quoted(place)}/${names}`).join(' ')}`;
  const found = `[ ! -e "$f" ] || { ${note('wrote', '1', '"$f"')}; ${pathOf('rm')} -rf "$f"; }`;
  const check = `${listing}; do case $f in */.|*/..|*/d|*/home|${known}) ;; *) ${found} ;; esac; done`;

  const runIn = (shell: (typeof shells)[number], lines: readonly string[]): readonly Run[] => {
    const { name, path, options, lists } = shell;
    for (const file of [log, errors]) writeFileSync(file, '');
    const script = lines.flatMap((line) => [
      `cd ${quoted(place)}; ${note('line', '0')}; printf '\\0' >> ${quoted(errors)}`,
      // Waits for whatever still runs: zsh copies output to several files in the background.
      `( eval ${quoted(line)} ) 9>&1 </dev/null >/dev/null 2>>${quoted(errors)} | while read -r _; do :; done`,
      'check',
    ]);
    const driver = join(root, 'driver');
    const limits = 'ulimit -t 60 -f 2048 -c 0';
    writeFileSync(
      driver,
      [limits, ...functions, `check() { ${lists}; ${check}; }`, ...script, ''].join('\n'),
    );
    const env = { ...VARIABLES, PATH: bin, HOME: join(place, 'home') };
    spawnSync(path, [...options, driver], { cwd: root, env, timeout: LONGEST, stdio: 'ignore' });
    const events = readLog(readFileSync(log, 'utf8').replaceAll(place, PLACE));
    const told = readFileSync(errors, 'latin1').split('\0').slice(1);
    if (lines.length > 0 && events.length === 0) throw new Error(`${name} did not run.`);
    const runs = events.map((event, index) => ({ shell: name, ...event, errors: told[index] ?? '' }));
    // Some lines end the shell that they run in.
    return events.length === lines.length ? runs : [...runs, ...runIn(shell, lines.slice(events.length))];
  };

  return {
    shells: shells.map(({ name }) => name),
    run: (lines) => {
      const results = shells.map((shell) => runIn(shell, lines));
      return lines.map((_, index) => results.flatMap((runs) => runs[index] ?? []));
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

type Four = [string, string, string, string];

function pathOf(name: string): string | undefined {
  return ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What became of each line: after its mark, each event with the number of its words. */
function readLog(log: string): readonly Pick<Run, 'programs' | 'written'>[] {
  const fields = log.split('\0');
  const lines: { programs: string[][]; written: string[] }[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const next = at + 2 + Number(fields[at + 1]);
    const words = fields.slice(at + 2, next);
    if (fields[at] === 'line') lines.push({ programs: [], written: [] });
    else if (fields[at] === 'run') lines.at(-1)?.programs.push(words);
    else lines.at(-1)?.written.push(...words);
    at = next;
  }
  return lines;
}
