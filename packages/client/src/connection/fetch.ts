/** `fetch`, or a replacement. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
