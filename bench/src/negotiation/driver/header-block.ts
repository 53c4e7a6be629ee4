/** Writes header blocks for one HTTP/2 connection (RFC 7541). */
export interface HeaderWriter {
  /**
   * The block for a set of headers. Repeated headers take one byte each the second time, and are cached the
   * third.
   */
  write(headers: readonly Header[]): Buffer;
}

export type Header = readonly [name: string, value: string];

/** Static table entries used by requests to a gRPC server. */
const STATIC = new Map([
  [':method POST', 3],
  [':scheme http', 6],
]);

/** The first index of the dynamic table. */
const DYNAMIC = 62;

/** The dynamic table holds a few dozen headers, more than a load ever has. */
export function createHeaderWriter(): HeaderWriter {
  const added: string[] = [];
  const written = new WeakMap<readonly Header[], { readonly block: Buffer; readonly entries: number }>();

  function field([name, value]: Header): Buffer {
    const known = STATIC.get(`${name} ${value}`);
    if (known !== undefined) return Buffer.from([0x80 | known]);
    const at = added.indexOf(`${name} ${value}`);
    // The newest entry has the lowest index.
    if (at >= 0) return Buffer.from([0x80 | (DYNAMIC + added.length - 1 - at)]);
    added.push(`${name} ${value}`);
    return Buffer.concat([Buffer.from([0x40]), literal(name), literal(value)]);
  }

  return {
    write(headers) {
      const before = written.get(headers);
      if (before?.entries === added.length) return before.block;
      const entries = added.length;
      const block = Buffer.concat(headers.map(field));
      if (entries === added.length) written.set(headers, { block, entries });
      return block;
    },
  };
}

/** Throws for values whose length does not fit in one byte. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length > 126) throw new Error(`too long for a header here: ${text}`);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
