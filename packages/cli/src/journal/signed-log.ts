import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '@proffer/core/json';
import { allOf, count, PLAIN } from '@proffer/core/words';
import {
  type Checkpoint,
  checkSignatures,
  checkTree,
  type EvidenceReport,
  parseCheckpoints,
  parseVerifierKey,
  type TreeCheck,
  type TreeFault,
  type VerifierKey,
} from '@proffer/evidence';
import { readSignerKeys, sha256, treeHashes, verifyEd25519 } from '@proffer/evidence/node';
import type { EvidenceConfig } from '@proffer/gateway/config';
import { EVERY_SPACE, type Journal, type StoredRecord } from '@proffer/journal';
import { createTreeMemory } from '@proffer/journal/tree';
import { usageFailure } from '../command-failure.js';
import type { DataOptions } from '../command-options.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { configure } from '../up/configure.js';

/** Checkpoints that were kept, and the keys to check them with. */
export interface KeptEvidence {
  readonly checkpoints: readonly {
    readonly file: string;
    readonly checkpoint: Checkpoint;
    readonly isGiven: boolean;
  }[];
  readonly keys: readonly VerifierKey[];
}

/** What became of one checkpoint. */
interface CheckedCheckpoint {
  readonly file: string;
  readonly size: number;
  /** Whether it was given, as one that was kept elsewhere. */
  readonly isGiven: boolean;
  /**
   * `false`: the journal does not begin with what was signed. `forged`: the signature is not from its key. `unsigned`:
   * the journal begins with it, but no known key signed it.
   */
  readonly state: 'true' | 'false' | 'forged' | 'unsigned';
  /** The names of the keys that signed it, and when, for witnesses. */
  readonly signedBy: readonly { readonly name: string; readonly at?: number }[];
}

/** What the signed log of a journal shows. */
export interface LogReport {
  readonly isTrue: boolean;
  /** How many records the log has. */
  readonly size: number;
  readonly checkpoints: readonly CheckedCheckpoint[];
  /** Records that are not what the log says. */
  readonly faults: readonly TreeFault[];
  /** How many records of the log are removed; those that retention did not remove are missing. */
  readonly removed: number;
  readonly missing: number;
}

/** Reads the given checkpoints and keys, and those that the configuration names. */
export async function keptEvidence(
  options: Pick<DataOptions, 'data' | 'guard' | 'config'> & {
    readonly checkpoint?: readonly string[];
    readonly logKey?: readonly string[];
  },
  shell: Shell,
): Promise<KeptEvidence> {
  const { checkpoint: files = [], logKey = [] } = options;
  const given = (await Promise.all(files.map((file) => readCheckpoints(file, true)))).flat();
  const keys: VerifierKey[] = (await Promise.all(logKey.map(readVerifierKeys))).flat();
  const configured = options.guard === true ? undefined : configuredEvidence(options, shell);
  if (configured === undefined) return { checkpoints: given, keys };
  const { key: keyFile, witnesses } = configured;
  keys.push(...witnesses.map(({ key }) => key));
  const own = await readSignerKeys(keyFile);
  const lastFile = `${keyFile}.checkpoint`;
  const last = existsSync(lastFile) ? await readCheckpoints(lastFile, false) : [];
  return {
    checkpoints: [...given, ...last],
    keys: own.ok ? [...keys, ...own.value.map(({ verifier }) => verifier)] : keys,
  };
}

/** The evidence section of the configuration, if the journal is the configured one; `undefined` without one. */
export function configuredEvidence(
  { config, data }: Pick<DataOptions, 'config' | 'data'>,
  shell: Shell,
): EvidenceConfig | undefined {
  try {
    const { evidence, journal } = configure(defined({ config }), shell);
    const isMeant = data === undefined || (journal.backend === 'local' && journal.path === resolve(data));
    return isMeant ? evidence : undefined;
  } catch {
    return undefined;
  }
}

/** The checkpoints in a file, to which a gateway may have added many. */
export async function readCheckpoints(file: string, isGiven: boolean) {
  const found = parseCheckpoints(await readGiven(file));
  if (found.length === 0) throw usageFailure(`${file} is not a checkpoint.`);
  return found.map((checkpoint) => ({ file, checkpoint, isGiven }));
}

/** A key as it is printed, or the keys in a file. */
export async function readVerifierKeys(given: string): Promise<readonly VerifierKey[]> {
  const single = parseVerifierKey(given, sha256);
  if (single !== undefined) return [single];
  const lines = (await readGiven(given)).split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0)
    throw usageFailure(`${given} has no key. The gateway prints them: checkpoint --keys.`);
  return lines.map((line) => {
    const key = parseVerifierKey(line.trim(), sha256);
    if (key === undefined) throw usageFailure(`${given} has a line that is not a key: NAME+ID+KEY.`);
    return key;
  });
}

async function readGiven(file: string): Promise<string> {
  return (await readGivenBytes(file)).toString();
}

export async function readGivenBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw usageFailure(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Compares a journal with its log and with checkpoints; `undefined` if it has neither. Reads all records in any case.
 *
 * @param removed - how many records retention has removed
 */
export async function compareLog(
  journal: Journal,
  { checkpoints, keys }: KeptEvidence,
  { removed, records }: { readonly removed: number; readonly records: AsyncIterable<StoredRecord> },
): Promise<LogReport | undefined> {
  const value = await compareTree(journal, checkpoints, records);
  if (value === undefined) return undefined;
  const { size, gone, faults, begins } = value;
  const checked: CheckedCheckpoint[] = [];
  for (const [at, { file, checkpoint, isGiven }] of checkpoints.entries()) {
    const signed = await checkSignatures(checkpoint.note, keys, verifyEd25519);
    const state = stateOf(begins[at] === true, signed?.length);
    const signedBy = (signed ?? []).map(({ key, at: when }) =>
      when === undefined ? { name: key.name } : { name: key.name, at: when },
    );
    checked.push({ file, isGiven, size: checkpoint.size, state, signedBy });
  }
  const missing = Math.max(0, gone - removed);
  const isTrue =
    faults.length === 0 &&
    missing === 0 &&
    checked.every(({ state }) => state === 'true' || state === 'unsigned');
  return { isTrue, size, checkpoints: checked, faults, removed: gone - missing, missing };
}

async function compareTree(
  journal: Journal,
  checkpoints: KeptEvidence['checkpoints'],
  records: AsyncIterable<StoredRecord>,
): Promise<TreeCheck | undefined> {
  const { tree } = journal;
  if (tree === undefined || (checkpoints.length === 0 && (await tree.count()) === 0)) {
    for await (const _ of records);
    return undefined;
  }
  const states = checkpoints.map(({ checkpoint }) => checkpoint);
  const found = await checkTree({ store: tree, records, states, hashes: treeHashes });
  if (found.faults.length === 0 || checkpoints.length === 0) return found;
  // Perhaps only the stored tree is damaged: then the records alone are what was signed.
  const again = journal.feed(EVERY_SPACE, 0, { follow: false });
  const alone = await checkTree({ store: createTreeMemory(), records: again, states, hashes: treeHashes });
  return alone.begins.every(Boolean) ? alone : found;
}

/** Of a file with many checkpoints: the largest, and the largest that a witness signed. */
function strongest(checkpoints: readonly CheckedCheckpoint[]): readonly CheckedCheckpoint[] {
  const largest = new Map<string, CheckedCheckpoint>();
  for (const one of checkpoints) {
    const isWitnessed = one.signedBy.some(({ at }) => at !== undefined);
    for (const key of isWitnessed ? [one.file, `witnessed ${one.file}`] : [one.file])
      if (one.size >= (largest.get(key)?.size ?? 0)) largest.set(key, one);
  }
  return [...new Set(largest.values())];
}

function wrongWith({ file, size, state }: CheckedCheckpoint, found: number): string {
  if (state === 'forged') return `A signature in ${visible(file)} is not from the key that it names.`;
  if (size > found)
    return `${visible(file)} covers ${count(size, 'record')}, and the journal has only ${found}.`;
  return `The journal does not begin with the ${count(size, 'record')} that ${visible(file)} covers.`;
}

const first = (size: number): string =>
  size === 1 ? 'The first record' : `The first ${count(size, 'record')}`;

const DIFFERENCES: Readonly<Record<TreeFault['what'], (seq: number) => string>> = {
  changed: (seq) => `The record at seq ${seq} is not the one that the log has there.`,
  added: (seq) => `The record at seq ${seq} is not in the log.`,
  disordered: (seq) => `The stored log is not in order at seq ${seq}.`,
};

function stateOf(isBeginning: boolean, signatures: number | undefined): CheckedCheckpoint['state'] {
  if (signatures === undefined) return 'forged';
  if (!isBeginning) return 'false';
  return signatures === 0 ? 'unsigned' : 'true';
}

/** What the log shows, in groups. */
export function describeLog(log: LogReport): EvidenceReport {
  const { checkpoints, faults, size, removed, missing } = log;
  const wrong = [
    ...faults.map(({ seq, what }) => DIFFERENCES[what](seq)),
    ...(missing === 0
      ? []
      : [
          `${count(missing, 'record')} of the log ${missing === 1 ? 'is' : 'are'} missing, and retention did not remove ${missing === 1 ? 'it' : 'them'}.`,
        ]),
    ...checkpoints
      .filter(({ state }) => state === 'false' || state === 'forged')
      .map((one) => wrongWith(one, size)),
  ];
  const isChanged = faults.length > 0 || missing > 0;
  const proofs = strongest(checkpoints.filter(({ state }) => state === 'true'));
  const proved = proofs.map(({ file, size: signed, signedBy }) => {
    const names = signedBy.map(({ name, at }) =>
      at === undefined ? visible(name) : `${visible(name)} (${PLAIN.moment(at)})`,
    );
    // While a key is replaced, both are the log's.
    const what = `what ${allOf([...new Set(names)])} signed (${visible(file)})`;
    if (isChanged)
      return `The log of ${count(signed, 'record')} is ${what}: the records are not those that it was made of.`;
    const whole = `${first(signed)} ${signed === 1 ? 'is' : 'are'} ${what}`;
    return removed === 0 ? `${whole}.` : `${whole}, as far as they are still there.`;
  });
  const covered = Math.max(0, ...proofs.map(({ size: signed }) => signed));
  const consistent = [
    ...checkpoints
      .filter(({ state }) => state === 'unsigned')
      .map(
        ({ file, size: signed }) =>
          `${first(signed)} ${signed === 1 ? 'matches' : 'match'} ${visible(file)}, but no given key signed it.`,
      ),
    ...(size > covered
      ? [
          `${count(size - covered, 'record')} ${covered === 0 ? 'that no known key signed' : 'after the last signed checkpoint'}.`,
        ]
      : []),
    ...(removed === 0
      ? []
      : [
          `${count(removed, 'record')} ${removed === 1 ? 'is' : 'are'} gone: the journal says that retention removed ${removed === 1 ? 'it' : 'them'}, and the log has only ${removed === 1 ? 'its hash' : 'their hashes'}.`,
        ]),
  ];
  const isWitnessed = proofs.some(({ signedBy }) => signedBy.some(({ at }) => at !== undefined));
  const kept = proofs.find(({ isGiven }) => isGiven);
  const unknown = isWitnessed
    ? []
    : kept === undefined
      ? [
          'Whether someone with the key of the log rewrote everything and signed it again: no witness signed it.',
        ]
      : [
          `Whether someone with the key of the log could replace ${visible(kept.file)}: no witness signed it.`,
        ];
  return { wrong, proved, consistent, unknown };
}

/** What is wrong, proved, only consistent, or unknowable. Beside what is wrong only proofs count. */
export function groupLines(
  { wrong, proved, consistent, unknown }: EvidenceReport,
  { style }: Pick<Shell, 'style'>,
): readonly string[] {
  const group = (title: string, mark: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [style.bold(title), ...lines.map((line) => `  ${mark} ${line}`)];
  return [
    ...group('Wrong:', style.red('✗'), wrong),
    ...group('Proved:', style.green('✓'), proved),
    ...(wrong.length > 0
      ? []
      : [
          ...group('Consistent, but not proved:', '·', consistent),
          ...group('Nobody can know without a witness:', '?', unknown),
        ]),
  ];
}
