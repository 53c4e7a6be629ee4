import { quote } from '@proffer/core/json';

/** The files that a patch changes. */
interface Patch {
  /** As written, spaces included. */
  readonly paths: readonly string[];
  /** Why it may change others, too, as a clause. */
  readonly unclear?: string;
}

/** What Rust and JavaScript take for white space, together. */
const SPACE = /[\s\u0085\u200b]/;
const FILE = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
/** Lines of a file that some agents may take for a marker. */
const MARKER_LIKE =
  /^\s*\*\*\*\s*(?:(?:Add|Delete|Update)\s+File|Move\s+to|Environment|Begin\s+Patch|End\s+Patch)/i;
/** Anything that could be meant as a header. */
const HEADER_LIKE = /\*\*\*\s*(?:(?:Add|Delete|Update)\s+File|Move\s+to)\s*:\s*(.+)/i;

/**
 * Reads a patch in the format of `apply_patch` as tolerantly as agents do: spaces around headers and markers, and a
 * here-document around the whole. Agents differ in what they tolerate, so a line that one of them may take for a header
 * makes the patch unclear, unless all of them agree.
 */
export function readPatch(text: string): Patch {
  const lines = bodyOf(withoutSpace(text).split('\n'));
  if (lines === undefined) return unclearPatch(text, 'a patch without its beginning or end');
  const paths: string[] = [];
  let state: 'begun' | 'adding' | 'deleted' | 'headed' | 'updating' = 'begun';
  for (const line of lines) {
    const isUpdate: boolean = state === 'headed' || state === 'updating';
    // In an update, a line that begins with a space is one of the file.
    const header: string = isUpdate ? withoutSpace(line, 'end') : withoutSpace(line);
    const [, kind, path]: readonly (string | undefined)[] = FILE.exec(header) ?? [];
    const target = state === 'headed' ? MOVE.exec(header)?.[1] : undefined;
    if (path !== undefined) {
      paths.push(path);
      state = kind === 'Add' ? 'adding' : kind === 'Delete' ? 'deleted' : 'headed';
    } else if (target !== undefined) {
      paths.push(target);
      state = 'updating';
    } else if (!isContent(line, state)) {
      return unclearPatch(text, `a patch with the line ${quote(line)}`);
    } else if (isUpdate) state = 'updating';
  }
  return paths.length === 0 ? unclearPatch(text, 'a patch that names no file') : { paths };
}

/** The lines between the markers; `undefined` if they are not there. */
function bodyOf(lines: readonly string[]): readonly string[] | undefined {
  const [first = ''] = lines;
  const isDocument = /^<<(?:EOF|'EOF'|"EOF")$/.test(first.trim()) && lines.at(-1)?.endsWith('EOF') === true;
  const inner = isDocument ? lines.slice(1, -1) : lines;
  const [begin = '', ...rest] = inner.map((line) => line.replace(/\r$/, ''));
  const end = rest.pop() ?? '';
  const isWhole = withoutSpace(begin) === '*** Begin Patch' && withoutSpace(end) === '*** End Patch';
  return isWhole ? rest : undefined;
}

/** Whether a line is content, and no agent takes it for anything else. */
function isContent(line: string, state: 'begun' | 'adding' | 'deleted' | 'headed' | 'updating'): boolean {
  if (state === 'adding') return line.startsWith('+');
  if (state === 'begun' || state === 'deleted') return line.trim() === '';
  if (/^[+-]/.test(line)) return true;
  if (/^\s/.test(line) || line === '') return !MARKER_LIKE.test(line);
  return /^@@(?: |$)/.test(line) || withoutSpace(line, 'end') === '*** End of File';
}

function withoutSpace(text: string, at: 'both' | 'end' = 'both'): string {
  let [start, end] = [0, text.length];
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end--;
  if (at === 'both') while (start < end && SPACE.test(text.charAt(start))) start++;
  return text.slice(start, end);
}

function unclearPatch(text: string, unclear: string): Patch {
  const paths = text.split('\n').flatMap((line) => HEADER_LIKE.exec(line)?.[1] ?? []);
  return { paths, unclear };
}

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
