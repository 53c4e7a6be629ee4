import { HASH_BYTES } from '@proffer/journal/tree';
import { fromBase64, toBase64 } from '../notes/bytes.js';
import {
  type Checkpoint,
  checkSignatures,
  parseCheckpoint,
  type TreeState,
  type VerifyEd25519,
} from '../notes/checkpoint.js';
import { formatNote, type VerifierKey } from '../notes/signed-note.js';
import { isSameHash, provesConsistency, type TreeHashes } from '../tree/merkle.js';

/** What a log asks a witness: to sign a checkpoint that continues the one that the witness signed last (C2SP's tlog-witness). */
export interface AddCheckpoint {
  /** The size that the witness signed last; 0 if it signed none. */
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
}

/** More hashes than this are in no proof. */
const MAX_HASHES = 63;

export function formatAddCheckpoint({ old, proof, checkpoint }: AddCheckpoint): string {
  return `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${formatNote(checkpoint.note)}`;
}

/** Parses a request; `undefined` if it is none. */
export function parseAddCheckpoint(text: string): AddCheckpoint | undefined {
  const end = text.indexOf('\n\n');
  const [first = '', ...hashes] = text.slice(0, Math.max(0, end)).split('\n');
  const [, old] = /^old (0|[1-9]\d{0,14})$/.exec(first) ?? [];
  const proof = hashes.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES) as Uint8Array[];
  const checkpoint = parseCheckpoint(text.slice(end + 2));
  if (old === undefined || checkpoint === undefined) return undefined;
  if (proof.length !== hashes.length || proof.length > MAX_HASHES) return undefined;
  return { old: Number(old), proof, checkpoint };
}

/** What a witness answers; it signs only for 200, and only after it has stored the checkpoint. */
export interface WitnessRuling {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  /** Why, in a sentence, for the one who asked; for 409 the size that the witness signed last. */
  readonly why: string;
  /** The log has signed two histories: this one does not continue what the witness saw. */
  readonly isFork?: true;
}

/**
 * Decides whether a witness signs: only what continues the state that it signed last.
 *
 * @param logs - the keys of the logs that it knows
 * @param known - the state of this log that it signed last
 */
export async function judgeCheckpoint(
  { old, proof, checkpoint }: AddCheckpoint,
  {
    logs,
    known,
    hashes,
    verify,
  }: {
    readonly logs: readonly VerifierKey[];
    readonly known: TreeState | undefined;
    readonly hashes: TreeHashes;
    readonly verify: VerifyEd25519;
  },
): Promise<WitnessRuling> {
  const { origin, size, root } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return { status: 404, why: `This witness does not know the log ${origin}.` };
  const signed = await checkSignatures(checkpoint.note, keys, verify);
  if (signed === undefined || signed.length === 0)
    return { status: 403, why: 'No key of the log that this witness knows signed the checkpoint.' };
  if (old > size) return { status: 400, why: 'The old size is larger than the checkpoint.' };
  if (old !== (known?.size ?? 0)) return { status: 409, why: `${known?.size ?? 0}` };
  if (known === undefined || known.size === 0)
    return proof.length === 0 ? CONTINUES : { status: 422, why: 'There is nothing to prove from size 0.' };
  if (size === known.size) {
    if (!isSameHash(root, known.root)) return { status: 409, why: `${known.size}`, isFork: true };
    return proof.length === 0 ? CONTINUES : NOT_PROVED;
  }
  const claim = { earlier: known.size, earlierRoot: known.root, size, root };
  return provesConsistency(claim, proof, hashes) ? CONTINUES : NOT_PROVED;
}

const CONTINUES: WitnessRuling = { status: 200, why: '' };
const NOT_PROVED: WitnessRuling = {
  status: 422,
  why: 'The proof does not show that the checkpoint continues the one that this witness signed last.',
  isFork: true,
};
