import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';

/** Where a gateway is, and who asks. */
export interface GatewayAccess {
  /** `http:`, `https:`, `ws:` or `wss:`, without a path, or with the path that the gateway is under. */
  readonly url: string;
  readonly space: string;
  readonly token: string | (() => string);
}

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

export function createProposalArchive({ url, space, token }: GatewayAccess): ProposalArchive {
  const address = new URL(url);
  const base = `${address.protocol.replace('ws', 'http')}//${address.host}${address.pathname.replace(/\/(?:ws)?$/, '')}`;
  const ask = async (path: string): Promise<JsonObject | undefined> => {
    const bearer = typeof token === 'string' ? token : token();
    const response = await fetch(`${base}/spaces/${encodeURIComponent(space)}/${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const body: unknown = await response.json();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The gateway answered with HTTP status ${response.status}.`);
    return isJsonObject(body) ? body : undefined;
  };
  /** Page by page, so that no more than one has to be held. */
  async function* list(query: Readonly<Record<string, string>>): AsyncGenerator<JsonObject> {
    let asked: Readonly<Record<string, string>> | undefined = query;
    while (asked !== undefined) {
      const { proposals, next }: JsonObject =
        (await ask(`proposals?${new URLSearchParams(asked).toString()}`)) ?? {};
      yield* objectsIn(proposals);
      asked = typeof next === 'string' ? { ...query, after: next } : undefined;
    }
  }
  return {
    async *recent({ seq: given, proposer }) {
      const own: Readonly<Record<string, string>> = proposer === undefined ? {} : { proposer };
      const seq = given ?? Number((await ask('feed?after=now'))?.['seq'] ?? 0);
      yield* list({ ...own, state: 'pending' });
      for await (const proposal of list({ ...own, after: String(Math.max(0, seq - LOOK_BACK)) })) {
        if (proposal['phase'] !== 'pending') yield proposal;
      }
    },
    async find(id) {
      const { proposal, history } = (await ask(`proposals/${encodeURIComponent(id)}`)) ?? {};
      if (!isJsonObject(proposal)) return undefined;
      const messages = objectsIn(history).flatMap(({ message }) => (isJsonObject(message) ? [message] : []));
      return { proposal, messages };
    },
  };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
