import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { completeKind } from '../../envelope/kind.js';
import { canonicalJson, canonicalPayload } from '../../json/canonical.js';

/**
 * Shows whether two messages under one id say the same (O-3), in whatever dialect or spelling. Leaves
 * out `ts`, which a client may change when it resends, and `from`, which is compared separately.
 *
 * 60 bits, fast and not cryptographic: only the owner of an id could profit from a collision, and all
 * it would gain is that its second message is dropped.
 */
export function fingerprint(envelope: Envelope): string {
  const text = comparedText(envelope);
  let high = 0x9e37_79b9;
  let low = 0x85eb_ca6b;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e37_79b1);
    low = Math.imul(low ^ code, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 15), 0x2c1b_3c6d) ^ Math.imul(low ^ (low >>> 13), 0x297a_2d39);
  low = Math.imul(low ^ (low >>> 15), 0x2c1b_3c6d) ^ Math.imul(high ^ (high >>> 13), 0x297a_2d39);
  return sixCharacters(high) + sixCharacters(low);
}

/**
 * The upper 30 bits, five per character from `0` on: formatting a number with a radix takes longer
 * than everything else.
 */
function sixCharacters(bits: number): string {
  const at = (shift: number): number => 0x30 + ((bits >>> shift) & 31);
  return String.fromCharCode(at(27), at(22), at(17), at(12), at(7), at(2));
}

/** The canonical text of the compared fields. */
function comparedText(envelope: Envelope): string {
  const { to = [], context, payload } = envelope;
  const about = canonicalJson(correlationIds(envelope));
  const thread = context === undefined ? '' : `"context":${canonicalJson(context)},`;
  const kind = canonicalJson(completeKind(envelope.kind, payload));
  const start = `{"about":${about},${thread}"kind":${kind},"payload":`;
  // Joining gives a flat string; concatenated with operators, engines walk a rope for each character
  // read.
  return [start, canonicalPayload(payload), `,"to":${canonicalJson(to)}}`].join('');
}
