import { appendFile } from 'node:fs/promises';
import {
  type Checkpoint,
  checkSignatures,
  formatAddCheckpoint,
  formatNote,
  isFrom,
  type NoteSignature,
  parseSignature,
  type TreeKeeper,
  type VerifierKey,
} from '@proffer/evidence';
import { verifyEd25519 } from '@proffer/evidence/node';
import type { Logger } from 'pino';

/** A witness that signs what continues what it saw before. */
export interface Witness {
  /** Where it takes checkpoints, without `/add-checkpoint`. */
  readonly url: string;
  readonly key: VerifierKey;
}

export interface PublisherOptions {
  readonly witnesses: readonly Witness[];
  /** Files, to which checkpoints are added, and addresses, to which they are posted. */
  readonly publish?: readonly string[];
  readonly tree: Pick<TreeKeeper, 'proveConsistency'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

const ANSWER_WITHIN = 10_000;

/**
 * Hands checkpoints to others: has them signed by witnesses, then sends them to where they are kept. What fails is
 * logged, and the next checkpoint tries again. Returns the checkpoint with the signatures of witnesses.
 */
export function createPublisher({ witnesses, publish = [], tree, log }: PublisherOptions) {
  /** The size that each witness signed last, as far as known. */
  const known = new Map<string, number>();
  return async (checkpoint: Checkpoint): Promise<Checkpoint> => {
    const asked = witnesses.map((witness) =>
      askWitness(witness, checkpoint, { tree, known }).catch((error: unknown) => {
        const why = (error as Error).message;
        log.error({ witness: witness.key.name, why }, 'a witness did not sign the checkpoint');
        return [];
      }),
    );
    const added = (await Promise.all(asked)).flat();
    const { text, signatures } = checkpoint.note;
    const own = signatures.filter((one) => !witnesses.some(({ key }) => isFrom(one, key)));
    const signed =
      added.length === 0 ? checkpoint : { ...checkpoint, note: { text, signatures: [...own, ...added] } };
    const sent = publish.map((place) =>
      send(place, formatNote(signed.note)).catch((error: unknown) =>
        log.warn({ place, err: error }, 'a checkpoint could not be published'),
      ),
    );
    await Promise.all(sent);
    return signed;
  };
}

async function send(place: string, note: string): Promise<void> {
  // After an empty line: one before it may have been cut off.
  if (!/^https?:/.test(place)) return await appendFile(place, `\n${note}`, { flush: true });
  const answer = await fetch(place, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: note,
    signal: AbortSignal.timeout(ANSWER_WITHIN),
    redirect: 'error',
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
}

async function askWitness(
  { url, key }: Witness,
  checkpoint: Checkpoint,
  { tree, known }: { readonly tree: PublisherOptions['tree']; readonly known: Map<string, number> },
): Promise<readonly NoteSignature[]> {
  // Twice: a witness says which size it knows if it is not the one that was assumed.
  for (let attempt = 1; ; attempt++) {
    const old = known.get(url) ?? 0;
    const proof =
      old === 0 || old >= checkpoint.size ? [] : await tree.proveConsistency(old, checkpoint.size);
    const answer = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
      method: 'POST',
      body: formatAddCheckpoint({ old: Math.min(old, checkpoint.size), proof, checkpoint }),
      signal: AbortSignal.timeout(ANSWER_WITHIN),
      redirect: 'error',
    });
    const text = await shortText(answer);
    if (answer.status === 409 && attempt === 1 && /^\d{1,15}\n$/.test(text)) {
      known.set(url, Number(text));
      continue;
    }
    if (answer.status === 409 || answer.status === 422)
      throw new Error(
        `It signed another history of this log, up to ${known.get(url) ?? 0} records: the journal here was rewritten, or an older copy of it was restored.`,
      );
    if (answer.status !== 200) throw new Error(`It answered ${answer.status}: ${text.slice(0, 200).trim()}`);
    const signatures = text
      .split('\n')
      .flatMap((line) => parseSignature(line) ?? [])
      .filter((signature) => isFrom(signature, key))
      .slice(0, 1);
    const signed = await checkSignatures({ text: checkpoint.note.text, signatures }, [key], verifyEd25519);
    if (signed === undefined || signed.length === 0) throw new Error('Its signature is not from its key.');
    known.set(url, checkpoint.size);
    return signatures;
  }
}

/** An answer of a witness is a line for each of its keys. */
const MAX_ANSWER = 64 * 1024;

async function shortText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER) throw new Error('Its answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
