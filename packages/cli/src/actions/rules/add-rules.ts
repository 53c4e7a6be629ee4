import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { count } from '@proffer/core/words';
import { addRules } from '@proffer/steward';
import { CommandFailure, EXIT, usageFailure } from '../../command-failure.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** An empty file of rules. */
const NEW_FILE = 'default: ask\n';

/**
 * Appends rules to a file, which is created if necessary. Stewards and guards reload it.
 *
 * @param draft - a file with the rules to add; default the standard input
 */
export async function addToRules(file: string, draft: string | undefined, shell: Shell): Promise<void> {
  await appendRules(file, await draftText(draft, shell), { shell });
}

/**
 * Adds rules given as text.
 *
 * @param empty - what a new file begins with
 */
export async function appendRules(
  file: string,
  draft: string,
  { shell, empty = NEW_FILE }: { readonly shell: Shell; readonly empty?: string },
): Promise<void> {
  const before = await readIfThere(file);
  const result = addRules(before ?? empty, draft, file);
  if (!result.ok) {
    const { code, message, details } = result.refusal;
    throw new CommandFailure({ exit: EXIT.usage, code, message, details });
  }
  const { text, rules, added } = result.value;
  await replace(file, text).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${file} cannot be written: ${why}. Nothing was added.`;
    throw new CommandFailure({ exit: EXIT.refused, code: 'unreadable_rules', message }, error);
  });
  const { style } = shell;
  shell.print(
    `${style.green('✓')} Added ${count(added, 'rule')} to ${visible(file)}: ${count(rules.rules.length, 'rule')}, then ${rules.otherwise.action}; version ${rules.version}.`,
  );
}

/** In one step: a guard must never read half a file. */
async function replace(file: string, text: string): Promise<void> {
  const mode = await stat(file).then(
    (found) => found.mode,
    () => 0o644,
  );
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      { exit: EXIT.usage, code: 'unreadable_rules', message: `${file} cannot be read: ${why}.` },
      error,
    );
  }
}

async function draftText(draft: string | undefined, shell: Shell): Promise<string> {
  if (draft !== undefined) {
    const text = await readIfThere(draft);
    if (text === undefined) throw usageFailure(`${draft} does not exist.`);
    return text;
  }
  if (shell.stdin.isTTY === true) {
    throw usageFailure('Say which rules to add: a file, or standard input.', [
      `${shell.name} rules add rules.yaml new-rules.yaml`,
      `${shell.name} rules suggest | ${shell.name} rules add rules.yaml`,
    ]);
  }
  return await readAll(shell.stdin);
}
