import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined, isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { printableJson } from '@proffer/core/text';
import { argumentsOf, hasArguments, type ProposalView } from '../proposals/proposal-view.js';
import type { Environment } from '../terminal/shell.js';
import { type InboxState, without } from './state.js';

/** The reader's editor, if one is set. */
export function editorOf(env: Environment): string | undefined {
  const editor = env['VISUAL'] || env['EDITOR'];
  return editor === undefined || editor === '' ? undefined : editor;
}

const GO_ON = 'Press e to keep editing.';

/** The params as saved in the editor, or why they cannot be used. */
type Edited =
  | { readonly params: JsonObject }
  /** With the saved text, if it is worth continuing with. */
  | { readonly problem: string; readonly text?: string };

/** What the editor starts with. */
export interface EditFrom {
  readonly params: JsonObject | undefined;
  /** Takes precedence over the params: the text left there before. */
  readonly text?: string | undefined;
  readonly editor: string;
}

/**
 * Opens the operation's params in an editor, as JSON in a file that is removed afterwards. The editor has the
 * terminal until it exits.
 */
export async function editInEditor(
  proposal: Pick<ProposalView, 'method' | 'params'>,
  { params, text, editor }: EditFrom,
): Promise<Edited> {
  const { method } = proposal;
  const folder = await mkdtemp(join(tmpdir(), 'proffer-edit-'));
  const file = join(folder, 'arguments.json');
  try {
    const before = argumentsOf({ method, ...defined({ params }) }) ?? {};
    await writeFile(file, text ?? `${printableJson(before, 2)}\n`, { mode: 0o600 });
    const code = await run(editor, file);
    if (code !== 0) return { problem: `The editor exited with code ${code}; nothing was changed.` };
    const left = await readFile(file, 'utf8');
    const parsed = parseJson(left);
    if (!parsed.ok)
      return { problem: `The edit is not JSON: ${parsed.refusal.message} ${GO_ON}`, text: left };
    if (!isJsonObject(parsed.value))
      return { problem: `The arguments must be a JSON object. ${GO_ON}`, text: left };
    return { params: hasArguments(method) ? { ...params, arguments: parsed.value } : parsed.value };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(editor: string, file: string): Promise<number> {
  const options = { stdio: 'inherit' } as const;
  // Editors are often set with options, so a shell splits the text; the path is not part of it.
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], options);
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The state when the reader returns from the editor: changes are staged, invalid JSON is kept. */
export function afterEditing(state: InboxState, id: string, edited: Edited): InboxState {
  const unfinished = without(state.unfinished, (key) => key === id);
  if ('params' in edited)
    return { ...state, unfinished, drafts: new Map([...state.drafts, [id, edited.params]]) };
  if (edited.text !== undefined) unfinished.set(id, edited.text);
  return { ...state, unfinished, note: { text: edited.problem, tone: 'bad' } };
}

/** What to show when the edited proposal has ended. */
export function afterLosing(
  state: InboxState,
  id: string,
  { how, now }: { readonly how: string; readonly now: number },
): InboxState {
  const text = `${id} ended while you were editing it. ${how} Your changes were not sent.`;
  // A reader who returns from the editor has not seen what is under the cursor now.
  return { ...state, driftedAt: now, note: { text, tone: 'bad' } };
}
