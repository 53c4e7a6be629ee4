import { makeVisible } from '@proffer/core/json';
import { parse } from 'unbash';
import { firstUnclosed } from './closed-grammar.js';
import { LineReader } from './line-reader.js';
import type { ShellLine, ShellWorld } from './shell-line.js';

/** Longer lines are not parsed, in characters. */
const LONGEST = 100_000;
/** How deep lines may be nested, as in `sh -c "sh -c …"`. */
const DEEPEST = 8;
/** How many substitutions a line may have: each that is not closed is parsed again and again. */
const MAX_SUBSTITUTIONS = 500;
/** How many commands of a line are analysed. */
const MAX_COMMANDS = 500;
/** How much of what is not understood is shown, in characters. */
const MAX_SHOWN = 60;

/**
 * What a shell line runs, as bash, dash and zsh read it. A line is understood if all of it is in the
 * closed grammar; otherwise a person decides, and the commands are those that could be found. Never runs
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
  if ((text.match(/[$<>]\(/g) ?? []).length > MAX_SUBSTITUTIONS)
    return reader.doubt('it has too many substitutions to parse');
  const script = parse(text);
  const part = firstUnclosed(script, text);
  if (part !== undefined) reader.doubt(`it contains shell syntax that rules do not cover: ${excerpt(part)}`);
  reader.read(script, depth);
}

function excerpt(text: string): string {
  const plain = text.trim();
  return makeVisible(plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain);
}
