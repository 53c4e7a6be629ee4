import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex, utf8 } from '../notes/bytes.js';
import { type Checkpoint, parseCheckpoint } from '../notes/checkpoint.js';
import { formatNote, formatSignature, isFrom, type VerifierKey } from '../notes/signed-note.js';
import { judgeCheckpoint, parseAddCheckpoint, type WitnessRuling } from '../witness/add-checkpoint.js';
import { sha256, treeHashes, verifyEd25519 } from './native.js';
import { replaceFile } from './replace-file.js';
import { cosignText, type SignerKey } from './signer-key.js';

export interface WitnessOptions {
  /** Where the last checkpoint of each log is kept. It must exist. */
  readonly folder: string;
  readonly key: SignerKey;
  /** The keys of the logs that it signs for. */
  readonly logs: readonly VerifierKey[];
  readonly now: () => number;
}

/** What a witness answers to a request. */
export interface WitnessAnswer {
  readonly status: WitnessRuling['status'];
  readonly body: string;
  /** The checkpoint that it was asked to sign, if the request could be read. */
  readonly checkpoint?: Checkpoint;
  /** The log asked for a signature on what does not continue what this witness signed. */
  readonly isFork?: true;
}

/** A witness: for each log it keeps the last checkpoint that it signed, and signs only what continues it. */
export function createWitness({ folder, key, logs, now }: WitnessOptions) {
  const fileOf = (origin: string): string => join(folder, `${toHex(sha256(utf8(origin)))}.checkpoint`);

  async function answer(request: string): Promise<WitnessAnswer> {
    const asked = parseAddCheckpoint(request);
    if (asked === undefined) return { status: 400, body: 'This is not a checkpoint with its proof.\n' };
    const { checkpoint } = asked;
    const file = fileOf(checkpoint.origin);
    const known = await readKnown(file);
    const { status, why, isFork } = await judgeCheckpoint(asked, {
      logs,
      known,
      hashes: treeHashes,
      verify: verifyEd25519,
    });
    if (status !== 200) return { status, body: `${why}\n`, checkpoint, ...(isFork ? { isFork } : {}) };
    const { text } = checkpoint.note;
    const cosigned = cosignText(key, text, now());
    // First of all on disk: what was signed once must never be forgotten.
    const own = checkpoint.note.signatures.filter((one) => logs.some((log) => isFrom(one, log)));
    await replaceFile(file, formatNote({ text, signatures: [...own, cosigned] }));
    return { status, body: formatSignature(cosigned), checkpoint };
  }

  let last: Promise<unknown> = Promise.resolve();
  /** Answers one request after another: what was signed last is read and replaced in one step. */
  return (request: string): Promise<WitnessAnswer> => {
    const answered = last.then(() => answer(request));
    last = answered.catch(() => undefined);
    return answered;
  };
}

async function readKnown(file: string): Promise<Checkpoint | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const checkpoint = parseCheckpoint(text);
  // A witness that forgot what it signed would sign a second history.
  if (checkpoint === undefined) throw new Error(`${file} is not a checkpoint.`);
  return checkpoint;
}
