import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AGENTS } from '../agents/index.js';
import {
  DISK,
  type FileChange,
  type FoundItem,
  makeFileChange,
  planConnect,
  planDisconnect,
  readLedger,
  type SettingsFiles,
  surveyMachine,
} from '../connect/index.js';
import { draftOf } from '../connect/settings-files.js';
import { hookEntries } from '../install/index.js';
import type { TestHome } from './ten-programs.js';

/** When everything is connected. */
export const NOW: number = Date.UTC(2026, 10, 18);

const LAUNCHER = ['/usr/bin/node', '/opt/some where/proffer-hook.cjs'];

/** The words of a guard in front of a server. */
export function guardFor(server: string): readonly string[] {
  return ['/usr/bin/node', '/opt/some where/bin/proffer.js', 'guard', '--name', server, '--'];
}

/** Everything that is found in a home folder. */
export function survey({ machine, data }: TestHome): readonly FoundItem[] {
  return surveyMachine(machine, readLedger(data)).flatMap(({ items }) => items);
}

/** What asks Proffer, by program and name. */
export function stateOf(home: TestHome): Readonly<Record<string, string>> {
  return Object.fromEntries(
    survey(home).map(({ program, name, coverage }) => [
      `${program}/${name}`,
      coverage.type === 'covered' ? coverage.by : coverage.type,
    ]),
  );
}

/** What connecting everything that is open would change. */
export function planOf(
  home: TestHome,
  isChosen: (item: FoundItem) => boolean = () => true,
): readonly FileChange[] {
  return planConnect(
    survey(home).filter((item) => item.coverage.type === 'open' && isChosen(item)),
    {
      ledger: readLedger(home.data),
      entriesFor: (agent) =>
        hookEntries(AGENTS[agent], { launcher: LAUNCHER, wait: 600, otherwise: 'ask', onlyPrompts: false }),
      guardFor,
      now: NOW,
    },
  );
}

/** Connects everything that is open. */
export function connect(home: TestHome, isChosen?: (item: FoundItem) => boolean, disk = steps()): void {
  for (const change of planOf(home, isChosen)) makeFileChange(change, readLedger(home.data), disk);
}

/** Disconnects everything; throws if a file is left alone. */
export function disconnect(home: TestHome, disk = steps()): void {
  for (const change of planDisconnect(readLedger(home.data), () => true)) {
    if ('why' in change) throw new Error(`${change.path}: ${change.why}`);
    makeFileChange(change, readLedger(home.data), disk);
  }
}

/** Thrown instead of the process being killed. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The disk in its smallest steps, without waiting for the device; from the given step on, nothing happens any more. */
export function steps(killedAt: number = Number.POSITIVE_INFINITY): SettingsFiles {
  let step = 0;
  const run = (act: () => void): void => {
    if (step++ >= killedAt) throw new Killed(`killed at step ${killedAt}`);
    act();
  };
  return {
    replace(path, content, mode) {
      run(() => writeFileSync(draftOf(path), content.subarray(0, content.length / 2)));
      run(() => writeFileSync(draftOf(path), content));
      run(() => chmodSync(draftOf(path), mode));
      run(() => renameSync(draftOf(path), path));
    },
    remove: (path) => run(() => rmSync(path, { force: true })),
    makeFolder: (path) => run(() => mkdirSync(path)),
    removeFolder: (path) => run(() => DISK.removeFolder(path)),
  };
}
