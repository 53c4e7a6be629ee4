import { type Checkpoint, parseCheckpoints } from '../notes/checkpoint.js';
import { parseVerifierKey, type VerifierKey } from '../notes/signed-note.js';
import type { HashBytes } from '../tree/merkle.js';

/** What a reader pasted: keys, one on each line, and checkpoints. */
export function readKept(
  text: string,
  hash: HashBytes,
): {
  readonly keys: readonly VerifierKey[];
  readonly kept: readonly { readonly name: string; readonly checkpoint: Checkpoint }[];
  /** A line that is neither. */
  readonly odd?: string;
} {
  const lines = text.replaceAll('\r', '').split('\n');
  const keys = lines.map((line) => parseVerifierKey(line.trim(), hash)).filter((key) => key !== undefined);
  const rest = lines.filter((line) => parseVerifierKey(line.trim(), hash) === undefined);
  const kept = parseCheckpoints(rest.join('\n')).map((checkpoint) => ({
    name: 'your checkpoint',
    checkpoint,
  }));
  const odd = rest.find((line) => line.trim() !== '');
  return { keys, kept, ...(odd === undefined || kept.length > 0 ? {} : { odd }) };
}
