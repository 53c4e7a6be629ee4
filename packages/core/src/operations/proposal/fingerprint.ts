import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { completeKind } from '../../envelope/kind.js';
import { type Written, writtenOf } from '../../envelope/written.js';
import { canonicalJson } from '../../json/canonical.js';

/**
 * Shows whether two messages under one id say the same (O-3), in whatever dialect or spelling. Leaves
 * out `ts`, which a client may change when it resends, and `from`, which is compared separately.
 *
 * 60 bits, fast and not cryptographic: only the owner of an id could profit from a collision, and all
 * it would gain is that its second message is dropped.
 */
export function fingerprint(envelope: Envelope): string {
  const { to = [], context, payload } = envelope;
  mixed[0] = 0x9e37_79b9;
  mixed[1] = 0x85eb_ca6b;
  // Piece by piece: a text that is put together first has to be copied to be read.
  mixText('{"about":');
  mixTexts(correlationIds(envelope));
  if (context !== undefined) mixText(`,"context":${canonicalJson(context)}`);
  mixText(',"kind":');
  mixText(canonicalJson(completeKind(envelope.kind, payload)));
  mixText(',"payload":');
  const written = writtenOf(envelope);
  if (written === undefined) mixText(canonicalJson(payload));
  else mixPayload(written);
  mixText(',"to":');
  mixTexts(to);
  mixText('}');
  let high = mixed[0];
  let low = mixed[1];
  high = Math.imul(high ^ (high >>> 15), 0x2c1b_3c6d) ^ Math.imul(low ^ (low >>> 13), 0x297a_2d39);
  low = Math.imul(low ^ (low >>> 15), 0x2c1b_3c6d) ^ Math.imul(high ^ (high >>> 13), 0x297a_2d39);
  return sixCharacters(high) + sixCharacters(low);
}

/** The fingerprint that is being made. In an array, since engines allocate such a number in a variable each time. */
const mixed = new Int32Array(2);

const HIGH = 0x9e37_79b1;
const LOW = 0x5f35_6495;

/** Mixes in the canonical text of a list. */
function mixTexts(texts: readonly string[]): void {
  let before = '[';
  for (const text of texts) {
    mixText(before);
    mixText(canonicalJson(text));
    before = ',';
  }
  mixText(texts.length === 0 ? '[]' : ']');
}

function mixText(text: string): void {
  let high = mixed[0] as number;
  let low = mixed[1] as number;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, HIGH);
    low = Math.imul(low ^ unit, LOW);
  }
  mixed[0] = high;
  mixed[1] = low;
}

/** Mixes in a payload that is written as UTF-8: what counts are its UTF-16 units. */
function mixPayload({ bytes, payloadStart, payloadEnd }: Written): void {
  let high = mixed[0] as number;
  let low = mixed[1] as number;
  for (let at = payloadStart; at < payloadEnd; at++) {
    let unit = bytes[at] as number;
    if (unit >= 0x80) {
      const more = unit < 0xe0 ? 1 : unit < 0xf0 ? 2 : 3;
      unit &= 0x3f >> more;
      for (let count = 0; count < more; count++) unit = (unit << 6) | ((bytes[++at] as number) & 0x3f);
    }
    if (unit >= 0x1_0000) {
      const lead = 0xd7c0 + (unit >> 10);
      high = Math.imul(high ^ lead, HIGH);
      low = Math.imul(low ^ lead, LOW);
      unit = 0xdc00 + (unit & 0x3ff);
    }
    high = Math.imul(high ^ unit, HIGH);
    low = Math.imul(low ^ unit, LOW);
  }
  mixed[0] = high;
  mixed[1] = low;
}

/**
 * The upper 30 bits, five per character from `0` on: formatting a number with a radix takes longer
 * than everything else.
 */
function sixCharacters(bits: number): string {
  const at = (shift: number): number => 0x30 + ((bits >>> shift) & 31);
  return String.fromCharCode(at(27), at(22), at(17), at(12), at(7), at(2));
}
