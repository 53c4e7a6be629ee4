/** `fetch`, or something that does the same in another way. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
