import { resolve } from 'node:path';
import { decideCall } from '../../decide/index.js';
import { readShellLine, type ShellCommand } from '../../shell/index.js';
import { groundsOf, shellCall } from '../calls.js';
import { randomLine } from './bash-lines.js';
import { createRandom } from './random.js';
import { PLACE, type Run, type ShellBox } from './shell-box.js';

/** Allows what reads and what runs other commands, so that many lines are allowed and each part counts. */
const GROUNDS = groundsOf(
  `
rules:
  - { action: allow, match: { command: [git status, git diff, ls **, cat **, echo **, pwd, "true **", ": **", cd **] } }
  - { action: allow, match: { command: ["> **", "< **", "x=* ls **", "x=*", "IFS=* ls **", "PATH=* echo **"] } }
  - { action: allow, match: { command: [sh **, bash **, dash **, env **, xargs **, nice **, timeout **, nohup **] } }
  - { action: allow, match: { command: [command **, exec **, builtin **] } }
`,
  { home: `${PLACE}/home`, guarded: { folders: [], files: [], endings: [], ports: [] } },
);

/** What was found about some lines. */
export interface Findings {
  readonly lines: number;
  /** Of these, those that the rules allow. */
  readonly allowed: number;
  /** How often a shell ran one. */
  readonly runs: number;
  /** How often a program ran in one. */
  readonly programs: number;
  /** What a shell did that the line was not judged by, as sentences. */
  readonly escapes: readonly string[];
}

/**
 * Judges the lines of some seeds, and lets shells run those that are allowed.
 *
 * @param seen - lines that ran before and need not run again; those that run now are added
 */
export function fuzzLines(seeds: readonly number[], box: ShellBox, seen: Set<string> = new Set()): Findings {
  const allowed = seeds
    .map((seed) => ({ seed, line: randomLine(createRandom(seed)) }))
    .filter(({ line }) => isAllowed(line));
  const fresh = allowed.filter(({ line }) => !seen.has(line) && seen.add(line));
  const results = box.run(fresh.map(({ line }) => line));
  const escapes = fresh.flatMap(({ seed, line }, index) => {
    const { commands } = readShellLine(line, { home: `${PLACE}/home`, folder: PLACE });
    return (results[index] ?? []).flatMap((run) =>
      escapesIn(run, commands).map((what) => `seed ${seed}: ${JSON.stringify(line)}: ${run.shell} ${what}`),
    );
  });
  return {
    lines: seeds.length,
    allowed: allowed.length,
    runs: fresh.length * box.shells.length,
    programs: results.flat().reduce((sum, { programs }) => sum + programs.length, 0),
    escapes,
  };
}

/** Whether the rules allow a line. */
export function isAllowed(line: string): boolean {
  return decideCall(shellCall(line, { folder: PLACE }), GROUNDS).action === 'allow';
}

/** What a shell did beyond the commands that a line was judged by. */
export function escapesIn(
  { programs, written, errors }: Run,
  commands: readonly ShellCommand[],
): readonly string[] {
  const ran = programs.filter((words) => !commands.some((command) => isSame(command.words, words)));
  const wrote = written.filter((path) => !commands.some((command) => writes(command, path)));
  return [
    ...ran.map((words) => `ran ${JSON.stringify(words)}`),
    ...wrote.map((path) => `wrote ${path}`),
    ...(/connect: |(?:^|[\s"':])\/dev\/(?:tcp|udp)/m.test(errors) ? ['connected to a host'] : []),
  ];
}

/** Whether words that are known only at run time may have become these. */
function isSame([first, ...others]: ShellCommand['words'], words: readonly string[]): boolean {
  if (first === undefined) return words.length === 0;
  if (first.value !== null) return first.value === words[0] && isSame(others, words.slice(1));
  return words.some((_, at) => isSame(others, words.slice(at))) || isSame(others, []);
}

function writes({ words: [operator, target], folders }: ShellCommand, path: string): boolean {
  const value = operator?.value === '>' ? target?.value : undefined;
  if (value === undefined || value === null) return false;
  return folders === undefined || folders.some((folder) => resolve(folder, value) === path);
}
