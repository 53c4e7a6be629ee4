import { existsSync } from 'node:fs';
import type { JsonObject } from '@proffer/core/json';
import { isSessionId, sessionStream } from '@proffer/core/negotiation';
import { count } from '@proffer/core/words';
import {
  type Checkpoint,
  continueTree,
  type EvidenceAbout,
  gatherRecords,
  hideInRecords,
  isSameHash,
  isTooMuch,
  MAX_EVIDENCE,
  MAX_EVIDENCE_SIZE,
  makeStatement,
  type ProofSource,
  type VerifierKey,
} from '@proffer/evidence';
import {
  readSignerKeys,
  type SignerKey,
  signCoseStatement,
  signStatement,
  treeHashes,
} from '@proffer/evidence/node';
import type { Journal } from '@proffer/journal';
import { usageFailure } from '../command-failure.js';
import type { DataOptions } from '../command-options.js';
import { VERSION } from '../own-package.js';
import type { Shell } from '../terminal/shell.js';
import { journalPlace, nameOfPlace } from './place.js';
import { readJournal } from './read-journal.js';
import { findProposalId } from './read-proposals.js';
import { configuredEvidence, readCheckpoints } from './signed-log.js';

/** What to show, and the sizes of checkpoints that somebody kept. */
export interface AskedEvidence {
  readonly id: string | undefined;
  readonly since: number | undefined;
  readonly kept: readonly number[];
  readonly form: 'dsse' | 'cose';
  /** Arguments to hide. */
  readonly hide: readonly string[];
}

/**
 * An evidence file from a journal without a gateway. With the key that the configuration names it is signed, and the
 * checkpoint beside that key is what proofs are about; without it, one that is given.
 */
export async function evidenceOffline(
  asked: AskedEvidence,
  options: Pick<DataOptions, 'data' | 'config'> & Place & { readonly checkpoint?: readonly string[] },
  shell: Shell,
): Promise<JsonObject> {
  const place = await journalPlace(options, shell);
  const known = await knownLog(options, shell);
  const { value } = await readJournal(place, async (journal) => {
    const about = await aboutWhat(journal, asked, { ...options, next: [`--data ${nameOfPlace(place)}`] });
    const records = await gatherRecords(journal, about);
    if (records.length === 0) throw usageFailure('The journal has no such records.');
    if (isTooMuch(records))
      throw usageFailure(
        `These are more than ${MAX_EVIDENCE} records, or more than ${MAX_EVIDENCE_SIZE} characters, which is the most that one file shows.`,
        ['--since WHEN   # a shorter time'],
      );
    const shown = hideInRecords(about, records, asked.hide);
    if (!shown.ok) throw usageFailure(shown.refusal.message);
    const log = await proofsFrom(journal, known, asked.kept);
    return await makeStatement({ about, records: shown.value, log, now: shell.now(), version: VERSION });
  });
  const signers = value.predicate.log === undefined ? [] : known.signers;
  const [current] = signers;
  if (asked.form === 'dsse') return signStatement(value, signers);
  if (current === undefined)
    throw usageFailure('A COSE file needs the key of a signed log.', [
      '--config proffer.yaml   # with its key',
    ]);
  return signCoseStatement(value, current);
}

interface Place {
  readonly space?: string;
  readonly exact?: boolean;
}

/** The keys that the configuration names, and the checkpoints that are known: beside the key, and given ones. */
interface KnownLog {
  readonly signers: readonly SignerKey[];
  readonly witnesses: readonly VerifierKey[];
  readonly checkpoints: readonly Checkpoint[];
}

async function knownLog(
  options: Pick<DataOptions, 'data' | 'config'> & { readonly checkpoint?: readonly string[] },
  shell: Shell,
): Promise<KnownLog> {
  const configured = configuredEvidence(options, shell);
  const keyFile = configured?.key;
  const last = keyFile === undefined ? [] : [`${keyFile}.checkpoint`].filter((file) => existsSync(file));
  const files = [...last, ...(options.checkpoint ?? [])];
  const found = (await Promise.all(files.map((file) => readCheckpoints(file, true)))).flat();
  const keys = keyFile === undefined ? undefined : await readSignerKeys(keyFile);
  if (keys?.ok === false) throw usageFailure(keys.refusal.message);
  return {
    signers: keys?.value ?? [],
    witnesses: (configured?.witnesses ?? []).map(({ key }) => key),
    checkpoints: found.map(({ checkpoint }) => checkpoint),
  };
}

async function aboutWhat(
  journal: Journal,
  { id = '', since }: AskedEvidence,
  { space = 'main', exact, next }: Place & { readonly next: readonly string[] },
): Promise<EvidenceAbout> {
  if (since !== undefined) return { space, since };
  if (isSessionId(id) && (await journal.head(sessionStream(id))).version > 0) return { session: id };
  return { space, proposal: await findProposalId(journal, id, { space, isExact: exact === true, next }) };
}

/** Proofs for the newest of the checkpoints; `undefined` if there is none. */
async function proofsFrom(
  journal: Journal,
  { signers, witnesses, checkpoints }: KnownLog,
  kept: readonly number[],
): Promise<ProofSource | undefined> {
  const checkpoint = [...checkpoints].sort((left, right) => right.size - left.size)[0];
  if (checkpoint === undefined || journal.tree === undefined) return undefined;
  const { size, root } = checkpoint;
  const tree = await continueTree(journal, { store: journal.tree, size, hashes: treeHashes });
  if (tree.size < size || !isSameHash(await tree.rootAt(size), root))
    throw usageFailure(
      `The journal does not begin with the ${count(size, 'record')} that its last checkpoint covers.`,
      ['verify   # shows where it differs'],
    );
  return { tree, checkpoint, keys: signers.map(({ verifier }) => verifier), witnesses, kept };
}
