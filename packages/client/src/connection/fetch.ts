/** `fetch`, or something that does the same in another way. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;
