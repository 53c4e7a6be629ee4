import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { failure, type Result, refuse, success } from '@proffer/core';
import { count } from '@proffer/core/words';
import {
  type Checkpoint,
  checkpointText,
  checkSignatures,
  continueTree,
  type DsseEnvelope,
  endsAlike,
  formatNote,
  isFrom,
  isSameHash,
  makeStatement,
  parseCheckpoint,
  type StatementSource,
  type TreeKeeper,
  type VerifierKey,
} from '@proffer/evidence';
import {
  type CoseFile,
  readSignerKeys,
  replaceFile,
  type SignerKey,
  signCoseStatement,
  signDetached,
  signStatement,
  signText,
  treeHashes,
  verifyEd25519,
} from '@proffer/evidence/node';
import { EVERY_SPACE, type Journal } from '@proffer/journal';
import { createTreeMemory, type TreeStore } from '@proffer/journal/tree';
import type { Logger } from 'pino';
import { readWitnessed, type WitnessedState, witnessedState } from './witnessed-state.js';
import { createPublisher, type Witness } from './witnesses.js';

export interface JournalLogOptions {
  readonly journal: Journal;
  readonly tree: TreeStore;
  /**
   * The file with the keys. The last checkpoint and the last that a witness signed are stored beside it, out of reach of
   * whoever writes the journal.
   */
  readonly keyFile: string;
  /** A checkpoint is made this often if there is something new, in milliseconds. */
  readonly every: number;
  /** Whether the journal outlives the gateway, so that these checkpoints are remembered. Default: true. */
  readonly isKept?: boolean;
  /** Who else signs each checkpoint. Default: nobody. */
  readonly witnesses?: readonly Witness[];
  /** Where checkpoints are sent: files, to which they are added, and addresses, to which they are posted. Default: nowhere. */
  readonly publish?: readonly string[];
  /** Is told the last state that a witness has signed: at the start, if that is known, and with each new one. */
  readonly onWitnessed?: (state: WitnessedState) => void;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/**
 * The tree over the journal's records, and signed checkpoints of it. It follows the journal like any other reader:
 * nothing on a message's path waits for it.
 */
export interface JournalLog {
  /** What checkpoints are signed with: the first is current, others are being replaced. */
  readonly keys: readonly VerifierKey[];
  readonly tree: TreeKeeper;
  /** Signs bytes that are kept elsewhere, as a detached JWS with the current key. */
  readonly sign: (bytes: Uint8Array) => string;
  /** The last signed state. */
  readonly latest: () => Checkpoint;
  /** Signs the present state, with everything that is durable now. */
  readonly checkpoint: () => Promise<Checkpoint>;
  /** The same, and waits a few seconds for witnesses. */
  readonly witnessedCheckpoint: () => Promise<Checkpoint>;
  /**
   * An evidence file about records, with proofs from a new checkpoint and the log's signatures.
   *
   * @param kept - the sizes of earlier states that somebody kept, and that it is to continue
   * @param isCose - in COSE with receipts, signed with the current key; default: in DSSE, signed with all
   */
  readonly attest: (
    source: Omit<StatementSource, 'log'>,
    kept: readonly number[],
    isCose?: boolean,
  ) => Promise<DsseEnvelope | CoseFile>;
  /** The names of the witnesses that are asked. */
  readonly witnesses: readonly string[];
  /** The last state that one of them signed; `undefined` if none is known. */
  readonly witnessed: () => WitnessedState | undefined;
  /** Stores everything, so that records may be removed. */
  readonly settle: () => Promise<void>;
  /** Makes a last checkpoint and stops. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the log of a journal. Refuses keys that cannot be used, and a journal that is not the one of the last checkpoint
 * (`rewritten_journal`): what was signed is no longer in it.
 */
export async function openJournalLog(options: JournalLogOptions): Promise<Result<JournalLog>> {
  const { journal, keyFile, every, log, isKept = true } = options;
  const read = await readSignerKeys(keyFile);
  if (!read.ok) return read;
  const signers = read.value;
  const keys = signers.map(({ verifier }) => verifier);
  // A file of keys has at least one.
  const current = signers[0] as SignerKey;
  const lastFile = `${keyFile}.checkpoint`;
  const readLastState = isKept ? await readLast(lastFile, keys) : success(undefined);
  if (!readLastState.ok) return readLastState;
  const last = readLastState.value;
  const hashes = treeHashes;
  if (last === undefined && isKept && (await options.tree.count()) > 0)
    log.warn(
      { file: lastFile },
      'the log was signed before, but its last checkpoint is not beside the key: nothing shows whether it was rewritten',
    );
  let tree = await continueTree(journal, { store: options.tree, size: last?.size ?? 0, hashes });
  let isSame = last === undefined || (await isBeginning(last, tree));
  if (last !== undefined && !isSame) {
    // Perhaps only the stored tree is damaged.
    tree = await continueTree(journal, { store: createTreeMemory(), target: options.tree, size: 0, hashes });
    isSame = await isBeginning(last, tree);
    if (isSame) log.warn({ size: last.size }, 'the tree of the log was damaged and is made anew');
  } else if (last !== undefined) isSame = await endsAlike(journal, { store: options.tree, size: last.size });
  if (last !== undefined && !isSame) {
    const message = `The journal does not begin with the ${count(last.size, 'record')} that its log signed last: records were changed or removed, or an older copy was restored. The checkpoint is in ${lastFile}.`;
    return failure(refuse('rewritten_journal', message, { size: last.size, file: lastFile }));
  }
  const follower = followJournal(journal, tree, log);
  await follower.caughtUp();
  // A new key signs at once what the old ones have signed.
  let latest = last !== undefined && isSignedByAll(last, keys) ? last : await make();
  const witnesses = options.witnesses ?? [];
  const publisher = createPublisher({ ...options, witnesses, tree });
  const witnessKeys = witnesses.map(({ key }) => key);
  const counted = { keys, witnesses: witnessKeys };
  // The last checkpoint may be from a time when the witness was away.
  const witnessedFile = `${keyFile}.witnessed`;
  let witnessed = last && (await witnessedState(last, counted));
  if (witnessed === undefined && isKept)
    witnessed = await readWitnessed(witnessedFile, counted, (one) => isBeginning(one, tree));
  if (witnessed !== undefined) options.onWitnessed?.(witnessed);
  const timer = setInterval(() => void tryCheckpoint(), every);
  timer.unref();
  let making = Promise.resolve(latest);
  let publishing = Promise.resolve();
  const isWitnessed = witnessed?.size === latest.size && isSignedByAll(latest, witnessKeys);
  if (witnesses.length > 0 && !isWitnessed) publishLatest();

  async function make(): Promise<Checkpoint> {
    const signed = sign(tree, signers);
    await tree.save();
    await store(signed);
    return signed;
  }

  async function store({ note }: Checkpoint): Promise<void> {
    if (isKept) await replaceFile(lastFile, formatNote(note));
  }

  /** Hands the last checkpoint to witnesses and others, one after another; what is outdated by then is left out. */
  function publishLatest(): void {
    publishing = publishAfter(publishing, latest);
  }

  async function publishAfter(before: Promise<void>, signed: Checkpoint): Promise<void> {
    await before;
    if (latest !== signed) return;
    const published = await publisher(signed);
    if (published === signed) return;
    await noteWitnessed(published);
    // In turn with checkpoints: both write the same file.
    making = inTurn(async () => {
      if (isKept) await replaceFile(witnessedFile, formatNote(published.note));
      if (latest !== signed) return latest;
      await store(published);
      return (latest = published);
    });
    await making.catch((error: unknown) =>
      log.error({ err: error }, 'the signatures of witnesses could not be stored'),
    );
  }

  async function noteWitnessed(published: Checkpoint): Promise<void> {
    witnessed = (await witnessedState(published, counted)) ?? witnessed;
    if (witnessed !== undefined) options.onWitnessed?.(witnessed);
  }

  async function inTurn(work: () => Promise<Checkpoint>): Promise<Checkpoint> {
    await making.catch(() => undefined);
    return await work();
  }

  /** One after another: an older one never replaces a newer one. What is signed already is not signed again. */
  function checkpoint(): Promise<Checkpoint> {
    making = inTurn(async () => {
      await follower.caughtUp();
      if (tree.size > latest.size) {
        latest = await make();
        publishLatest();
      }
      return latest;
    });
    return making;
  }

  async function tryCheckpoint(): Promise<void> {
    try {
      await checkpoint();
    } catch (error) {
      log.error({ err: error }, 'no checkpoint could be made; it is tried again');
    }
  }

  async function witnessedCheckpoint(): Promise<Checkpoint> {
    await checkpoint();
    await Promise.race([publishing, delay(LAST_WORDS, undefined, { ref: false })]);
    return latest;
  }

  return success({
    keys,
    tree,
    sign: (bytes) => signDetached(current, bytes),
    latest: () => latest,
    checkpoint,
    witnesses: witnessKeys.map(({ name }) => name),
    witnessed: () => witnessed,
    witnessedCheckpoint,
    async attest(source, kept, isCose = false) {
      const log = { ...counted, tree, checkpoint: await witnessedCheckpoint(), kept };
      const statement = await makeStatement({ ...source, log });
      return isCose ? signCoseStatement(statement, current) : signStatement(statement, signers);
    },
    async settle() {
      await follower.caughtUp();
      await tree.save();
    },
    async close() {
      clearInterval(timer);
      await tryCheckpoint();
      await Promise.race([publishing, delay(LAST_WORDS, undefined, { ref: false })]);
      await follower.stop();
    },
  });
}

/** How long witnesses have to sign the last checkpoint of a gateway that stops, in milliseconds. */
const LAST_WORDS = 3_000;

/** Adds records to a tree as they become durable. */
function followJournal(journal: Journal, tree: TreeKeeper, log: Pick<Logger, 'error'>) {
  const ended = new AbortController();
  const wake: (() => void)[] = [];
  let failed: unknown;
  let following = follow();

  async function follow(): Promise<void> {
    const { signal } = ended;
    failed = undefined;
    try {
      const pieces = journal.feedPieces?.(EVERY_SPACE, tree.lastSeq, { signal });
      if (pieces !== undefined) for await (const records of pieces) added(records);
      else for await (const record of journal.feed(EVERY_SPACE, tree.lastSeq, { signal })) added([record]);
    } catch (error) {
      failed = error;
      for (const one of wake.splice(0)) one();
      if (!signal.aborted)
        log.error({ err: error }, 'the log cannot follow its journal; the next checkpoint tries again');
    }
  }

  function added(records: Parameters<TreeKeeper['add']>[0]): void {
    tree.add(records);
    for (const one of wake.splice(0)) one();
  }

  return {
    /** Resolves when everything is in the tree that is durable now. */
    async caughtUp(): Promise<void> {
      const end = await journal.lastSeq(EVERY_SPACE);
      if (failed !== undefined && !ended.signal.aborted) following = follow();
      while (tree.lastSeq < end) {
        if (failed !== undefined) throw failed;
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
    async stop(): Promise<void> {
      ended.abort();
      await following;
    },
  };
}

function sign(tree: TreeKeeper, signers: readonly SignerKey[]): Checkpoint {
  const origin = signers[0]?.verifier.name ?? '';
  const state = tree.state();
  const text = checkpointText(origin, state);
  return { origin, ...state, note: { text, signatures: signers.map((key) => signText(key, text)) } };
}

/**
 * The checkpoint in a file; `undefined` if there is no file. Refuses one that none of the keys signed: a log that forgot
 * what it signed would sign a second history.
 */
async function readLast(file: string, keys: readonly VerifierKey[]): Promise<Result<Checkpoint | undefined>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return success(undefined);
  const checkpoint = parseCheckpoint(text);
  const signed = checkpoint && (await checkSignatures(checkpoint.note, keys, verifyEd25519));
  if (checkpoint !== undefined && signed !== undefined && signed.length > 0) return success(checkpoint);
  const message = `None of the log's keys signed its last checkpoint, ${file}. Restore that file, or add the key that signed it.`;
  return failure(refuse('rewritten_journal', message, { file }));
}

function isSignedByAll({ note }: Checkpoint, keys: readonly VerifierKey[]): boolean {
  return keys.every((key) => note.signatures.some((signature) => isFrom(signature, key)));
}

async function isBeginning({ size, root }: Checkpoint, tree: TreeKeeper): Promise<boolean> {
  return size <= tree.size && isSameHash(await tree.rootAt(size), root);
}
