import {
  createHttpClient,
  type HttpClientOptions,
  type ProposalQuery,
  RefusedError,
} from '@proffer/client/http';
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
   * All that are pending, then those that are not and are among the last 20,000 records, each as it is now. What
   * runs, or ended in a way that its caller has not heard of, is not older than that.
   *
   * @param about - `seq`: that of the space now, asked for if it is not given; `proposer`: only what this one proposed
   */
  recent(about: { readonly seq?: number; readonly proposer?: string }): AsyncIterable<JsonObject>;
  /** Nothing if there is no such proposal. */
  find(id: string): Promise<ArchivedProposal | undefined>;
}

/** How many records to look back. */
const LOOK_BACK = 20_000;

export function createProposalArchive(access: GatewayAccess): ProposalArchive {
  const client = createHttpClient(access);
  /** Page by page, so that no more than one has to be held. */
  async function* list(query: ProposalQuery): AsyncGenerator<JsonObject> {
    for await (const page of client.proposals(query)) yield* page;
  }
  return {
    async *recent({ seq: given, proposer }) {
      const own = proposer === undefined ? {} : { proposer };
      const seq = given ?? (await client.feed('now')).seq;
      yield* list({ ...own, state: 'pending' });
      for await (const proposal of list({ ...own, after: String(Math.max(0, seq - LOOK_BACK)) })) {
        if (proposal['phase'] !== 'pending') yield proposal;
      }
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
