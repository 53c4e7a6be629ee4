import { createHttpClient, type HttpClientOptions, RefusedError } from '@proffer/client/http';
import { defined, type JsonObject } from '@proffer/core/json';

/** A gateway's address and the credentials. */
export type GatewayAccess = Pick<HttpClientOptions, 'url' | 'space' | 'token' | 'ca'>;

/** A proposal with its messages, oldest first. */
export interface ArchivedProposal {
  readonly proposal: JsonObject;
  readonly messages: readonly JsonObject[];
}

/** The gateway's memory of proposals, read over HTTP. */
export interface ProposalArchive {
  /**
   * All open proposals, however old: pending, running, or with an unknown outcome; and those that ended since
   * a time, if one is given. Each in its current state, oldest first.
   *
   * @param about - `since`: milliseconds since 1970; `proposer`: only proposals of this one
   */
  open(about: { readonly since?: number; readonly proposer?: string }): AsyncIterable<JsonObject>;
  /** `undefined` if there is no such proposal. */
  find(id: string): Promise<ArchivedProposal | undefined>;
}

/** Later than any end. */
const LATER = 999_999_999_999_999;

export function createProposalArchive(access: GatewayAccess): ProposalArchive {
  const client = createHttpClient(access);
  return {
    async *open({ since = LATER, proposer }) {
      const query = { since: String(since), ...defined({ proposer }) };
      // Page by page, so that only one has to be in memory.
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
