import { refuse } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { EVERY_SPACE } from '@proffer/journal';
import { CommandFailure } from '../command-failure.js';
import { readJournal } from '../journal/read-journal.js';
import { compareLog, describeLog, keptEvidence } from '../journal/signed-log.js';
import type { Shell } from '../terminal/shell.js';
import { isHeld } from './gateway-checks.js';
import type { Finding } from './machine-checks.js';

/**
 * How an intact journal differs from what its log signed last; `undefined` if it does not, or while a gateway has it
 * open, which checked that when it started.
 *
 * @param removed - how many records retention has removed
 */
export async function checkLog(
  folder: string,
  { config, removed }: { readonly config?: string; readonly removed: number },
  shell: Shell,
): Promise<Finding | undefined> {
  try {
    const kept = await keptEvidence(defined({ config, data: folder }), shell);
    if (kept.checkpoints.length === 0 || (await isHeld(folder))) return undefined;
    const { value: log } = await readJournal({ backend: 'local', path: folder }, async (journal) => {
      const records = journal.feed(EVERY_SPACE, 0, { follow: false });
      return await compareLog(journal, kept, { removed, records });
    });
    if (log === undefined || log.isTrue) return undefined;
    // The last one is about the checkpoint, if that is wrong.
    const wrong = describeLog(log).wrong.at(-1) ?? '';
    return bad(refuse('rewritten_journal', `${folder} is not what its log signed. ${wrong}`).message);
  } catch (error) {
    if (error instanceof CommandFailure) return bad(error.failure.message);
    throw error;
  }
}

function bad(message: string): Finding {
  return { state: 'bad', subject: 'journal', message };
}
