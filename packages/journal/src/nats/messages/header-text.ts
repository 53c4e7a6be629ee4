import { headers, type MsgHdrs } from '@nats-io/transport-node';

const FIRST_LINE = 'NATS/1.0\r\n';

/**
 * The headers of an outgoing message, as wire text. The client's own headers are a map that checks
 * every name and value: for a record that is a tenth of an append's cost here, and all of ours are
 * names, numbers and digests.
 */
export class HeaderText {
  #lines = '';

  /** @param value - without line breaks */
  append(name: string, value: string | number): void {
    this.#lines += `${name}: ${value}\r\n`;
  }

  /** One header per line. */
  toString(): string {
    return this.#lines;
  }

  /** The type the client expects. It uses nothing of it but the bytes. */
  forClient(): MsgHdrs {
    bytes = Buffer.from(`${FIRST_LINE}${this.#lines}\r\n`, 'latin1');
    return FOR_CLIENT;
  }
}

let bytes: Uint8Array = new Uint8Array();

/** Shared by all messages: the client's own headers would cost a map for each one. */
const FOR_CLIENT: MsgHdrs = Object.assign(headers(), { encode: () => bytes });
