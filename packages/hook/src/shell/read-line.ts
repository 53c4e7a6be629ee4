import { parse } from 'unbash';
import { hasLeftovers } from './leftovers.js';
import { LineReader } from './line-reader.js';
import type { ShellLine, ShellWorld } from './shell-line.js';

/** Longer lines are not parsed, in characters. */
const LONGEST = 100_000;
/** How deep lines may be nested, as in `sh -c "sh -c …"`. */
const DEEPEST = 8;
/** How many commands of a line are analysed. */
const MAX_COMMANDS = 500;

/**
 * What a shell line runs, as bash would read it: every command in it, however it is joined, nested,
 * substituted, wrapped or quoted. Anything unclear is reported, so that a person decides. Never runs
 * anything.
 */
export function readShellLine(text: string, world: ShellWorld): ShellLine {
  const reader = new LineReader(world, (script, depth) => readInto(reader, script, depth));
  readInto(reader, text, 0);
  const { commands, unknown } = reader;
  if (commands.length <= MAX_COMMANDS) return { commands, unknown: [...new Set(unknown)] };
  return { commands: commands.slice(0, MAX_COMMANDS), unknown: ['it runs too many commands to check'] };
}

function readInto(reader: LineReader, text: string, depth: number): void {
  if (text.length > LONGEST) return reader.doubt('it is too long to parse');
  if (depth > DEEPEST) return reader.doubt('it is nested too deeply to parse');
  // Shells differ in how they treat these.
  if (/[\0\r]/.test(text)) return reader.doubt('it contains control characters');
  const script = parse(text);
  if ((script.errors ?? []).length > 0 || hasLeftovers(script, text))
    reader.doubt('it cannot be parsed as a shell command');
  reader.read(script, depth);
}
