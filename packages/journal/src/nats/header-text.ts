import { headers, type MsgHdrs } from '@nats-io/transport-node';

const FIRST_LINE = 'NATS/1.0\r\n';

/**
 * The headers of a message that is written, as the text that goes over the wire. The client's own headers are a map that
 * checks every name and value: for a record that is a tenth of what an append costs here, and all of ours are names,
 * numbers and digests.
 */
export class HeaderText {
  #lines = '';

  /** @param value - without line breaks */
  append(name: string, value: string | number): void {
    this.#lines += `${name}: ${value}\r\n`;
  }

  /** One header in each line. */
  toString(): string {
    return this.#lines;
  }

  /** What the client takes. It asks headers for nothing but their bytes. */
  forClient(): MsgHdrs {
    return Object.assign(headers(), {
      encode: () => Buffer.from(`${FIRST_LINE}${this.#lines}\r\n`, 'latin1'),
    });
  }
}
