import { readFile } from 'node:fs/promises';
import { type Checkpoint, checkSignatures, parseCheckpoint, type VerifierKey } from '@proffer/evidence';
import { verifyEd25519 } from '@proffer/evidence/node';

/** A state that a witness has signed. */
export type WitnessedState = {
  /** How many records it covers. */
  readonly size: number;
  /** When the witness signed, on its clock, in milliseconds since 1970. */
  readonly at: number;
};

/** Whose signatures count: both must have signed. */
export interface CountedKeys {
  readonly keys: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
}

/** What a witness has signed of a log; `undefined` if not both of them signed it, or a signature is false. */
export async function witnessedState(
  { size, note }: Checkpoint,
  { keys, witnesses }: CountedKeys,
): Promise<WitnessedState | undefined> {
  const signed = (await checkSignatures(note, [...keys, ...witnesses], verifyEd25519)) ?? [];
  const times = signed.flatMap(({ at }) => at ?? []);
  if (times.length === 0 || times.length === signed.length) return undefined;
  return { size, at: Math.max(...times) };
}

/**
 * What a witness has signed according to the checkpoint in a file. It only informs: without the file, or if it is damaged
 * or not about this log, nothing is known.
 *
 * @param isOurs - whether the log began with a checkpoint
 */
export async function readWitnessed(
  file: string,
  counted: CountedKeys,
  isOurs: (checkpoint: Checkpoint) => Promise<boolean>,
): Promise<WitnessedState | undefined> {
  try {
    const checkpoint = parseCheckpoint(await readFile(file, 'utf8'));
    if (checkpoint === undefined || !(await isOurs(checkpoint))) return undefined;
    return await witnessedState(checkpoint, counted);
  } catch {
    return undefined;
  }
}
