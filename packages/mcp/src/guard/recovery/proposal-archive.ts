import { createHttpClient, type HttpClientOptions, RefusedError } from '@proffer/client/http';
import type { JsonObject } from '@proffer/core/json';

/** Where a gateway is, and who asks. */
export type GatewayAccess = Pick<HttpClientOptions, 'url' | 'space' | 'token' | 'ca'>;

/** A proposal with what was said about it, the oldest first. */
export interface ArchivedProposal {
  readonly proposal: JsonObject;
  readonly messages: readonly JsonObject[];
}

/** What a gateway remembers of proposals, asked over HTTP. */
export interface ProposalArchive {
  /**
   * What is not over, however old: pending, running, or with an outcome that nobody knows; and what ended since a moment,
   * if one is given. Each as it is now, the oldest first.
   *
   * @param about - `since`: milliseconds since 1970; `proposer`: only what this one proposed
   */
  open(about: { readonly since?: number; readonly proposer?: string }): AsyncIterable<JsonObject>;
  /** `undefined` if there is no such proposal. */
  find(id: string): Promise<ArchivedProposal | undefined>;
}

/** Later than anything that has ended. */
const LATER = 999_999_999_999_999;

export function createProposalArchive(access: GatewayAccess): ProposalArchive {
  const client = createHttpClient(access);
  return {
    async *open({ since = LATER, proposer }) {
      const query = { since: String(since), ...(proposer === undefined ? {} : { proposer }) };
      // Page by page, so that no more than one has to be held.
      for await (const page of client.proposals(query)) yield* page;
    },
    async find(id) {
      try {
        const { proposal, history } = await client.proposal(id);
        return { proposal, messages: history.map(({ message }) => message) };
      } catch (error) {
        if (error instanceof RefusedError && error.code === 'unknown_proposal') return undefined;
        throw error;
      }
    },
  };
}
