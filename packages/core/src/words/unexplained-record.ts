import { quote } from '../json/describe.js';
import type { Misjudged } from '../operations/judge/judge-space.js';

/** Where a record is: its place in the journal, and in its stream. */
interface RecordPlace {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
}

/** Why a record cannot have come about by the rules, and which it is. */
export function describeUnexplained(
  { what, code, sentence }: Pick<Misjudged, 'code' | 'sentence'> & { readonly what: string },
  { seq, stream, version }: RecordPlace,
): string {
  const why = what === 'refused' ? 'should have been refused' : 'cannot have come about by the rules';
  const named = code === undefined ? '' : ` (${code})`;
  return `Seq ${seq}, record ${version} of ${quote(stream)} ${why}${named}: ${sentence}`;
}
