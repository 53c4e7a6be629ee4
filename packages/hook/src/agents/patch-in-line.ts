import { type Patch, readPatch } from './patch.js';

/** The names under which a shell line runs a patch. */
export const PATCH_PROGRAMS: ReadonlySet<string> = new Set(['apply_patch', 'applypatch']);

/** The patch in a shell line that runs `apply_patch`, as Codex CLI takes it out of the line and applies it by itself. */
export function patchInLine(line: string): Patch {
  const [text] = /\*\*\*\s+Begin Patch[^]*\*\*\*\s+End Patch/.exec(line) ?? [];
  if (text === undefined) return { paths: [], unclear: 'what apply_patch changes' };
  const patch = readPatch(text);
  // In a here-document without quotes, the shell changes the text first.
  const isPlain = !/<<-?\s*\w/.test(line) || !/[$`\\]/.test(text);
  return isPlain ? patch : { ...patch, unclear: patch.unclear ?? 'a patch that the shell may change' };
}
