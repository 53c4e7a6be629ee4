import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkTree, judgeJournal, parseCheckpoints } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey, treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, type Journal, nativeSha256, type StoredRecord } from '@proffer/journal';
import { temporaryFolder } from '../folder.js';
import type { StartFleet } from './fleet.js';

/**
 * Gateways that sign a log of their journal several times a second, as `start` starts them. In the end the tree must be
 * that of the journal, and begin with the last checkpoint, and every record must hold when it is decided again.
 *
 * @param report - receives what does not
 */
export function signing(start: StartFleet, report: (problem: unknown) => void): StartFleet {
  return async (yaml = 'dev: true') => {
    const folder = await temporaryFolder();
    const key = join(folder.path, 'log.key');
    await writeFile(key, `${formatSignerKey(makeSignerKey('example/log'))}\n`, { mode: 0o600 });
    const fleet = await start(`${yaml}\nevidence: { key: ${JSON.stringify(key)}, every: 1s }`);
    return {
      ...fleet,
      read: (read) =>
        fleet.read(async (journal) => {
          for (const problem of await problemsIn(journal, `${key}.checkpoint`)) report(problem);
          return await read(journal);
        }),
      async [Symbol.asyncDispose]() {
        await fleet[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  };
}

async function problemsIn(journal: Journal, lastFile: string): Promise<readonly unknown[]> {
  // On a shared journal, what was signed last is not kept beside one gateway.
  const isShared = journal.peers !== undefined;
  if (journal.tree === undefined || !(isShared || existsSync(lastFile))) return ['there is no checkpoint'];
  const states = isShared ? [] : parseCheckpoints(await readFile(lastFile, 'utf8'));
  const judge = judgeJournal({ hasSeveralWriters: isShared, hash: nativeSha256 });
  async function* judged(): AsyncGenerator<StoredRecord, void> {
    let before: StoredRecord | undefined;
    for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
      if (before !== undefined) judge.judge(before, record);
      before = record;
      yield record;
    }
    if (before !== undefined) judge.judge(before, undefined);
  }
  const tree = await checkTree({ store: journal.tree, records: judged(), states, hashes: treeHashes });
  const { wrong, first, beforeRules, decided } = judge.found;
  const last = states.at(-1)?.size ?? 0;
  return [
    ...tree.faults,
    ...first,
    ...(tree.begins.every(Boolean)
      ? []
      : [`the journal does not begin with what was signed: ${last} records`]),
    ...(tree.gone === 0 ? [] : [`${tree.gone} records are gone`]),
    ...(wrong === 0 && beforeRules === 0 && decided > 0 ? [] : [{ wrong, beforeRules, decided }]),
  ];
}
