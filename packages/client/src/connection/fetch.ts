/** `fetch`, or a replacement. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

declare global {
  // Programs compiled with neither the DOM's types nor Node's have no such names; elsewhere these add
  // nothing. The doors for operations and for negotiations both reach this file.
  interface AbortSignal {}
  interface ReadableStream<R> {}
  interface RequestInit {}
  interface Response {}
}
