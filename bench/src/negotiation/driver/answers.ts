/** The gRPC message prefix: a compression flag and the length. */
const PREFIX = 5;

/** The tag of a first field that is itself a message. */
const FIRST_FIELD = 0x0a;

/**
 * Whether a `SendResponse` has an Ack that begins with `ok`; no encoder writes the fields in another order.
 */
export function isAccepted(answer: Buffer): boolean {
  if (answer[PREFIX] !== FIRST_FIELD) return false;
  let at = PREFIX + 1;
  while (((answer[at] ?? 0) & 0x80) !== 0) at++;
  return answer[at + 1] === 0x08 && answer[at + 2] === 1;
}

/** Counts the messages of `StreamSession` in a byte stream, however it is split. */
export interface StreamCounter {
  /** Returns how many messages begin in a chunk. Throws on a refusal. */
  push(bytes: Buffer): number;
}

export function createStreamCounter(): StreamCounter {
  let unread: Buffer | undefined;
  /** Bytes of the last message still to come. */
  let missing = 0;
  return {
    push(piece) {
      const bytes = unread === undefined ? piece : Buffer.concat([unread, piece]);
      unread = undefined;
      let count = 0;
      let at = missing;
      for (; bytes.length - at > PREFIX; count++) {
        if (bytes[at + PREFIX] !== FIRST_FIELD) throw new Error(`refused: ${readable(bytes.subarray(at))}`);
        at += PREFIX + bytes.readUInt32BE(at + 1);
      }
      missing = Math.max(0, at - bytes.length);
      if (at < bytes.length) unread = Buffer.from(bytes.subarray(at));
      return count;
    },
  };
}

/** The readable part of an unexpected message. */
export function readable(message: Buffer): string {
  return message
    .toString('latin1')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 300);
}
