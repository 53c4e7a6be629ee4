import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core';

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
  /** Those that are pending, running, or ended a short while ago. */
  list(): Promise<readonly JsonObject[]>;
  /** Nothing if there is no such proposal. */
  find(id: string): Promise<ArchivedProposal | undefined>;
}

export function createProposalArchive({ url, space, token }: GatewayAccess): ProposalArchive {
  const address = new URL(url);
  const base = `${address.protocol.replace('ws', 'http')}//${address.host}${address.pathname.replace(/\/(?:ws)?$/, '')}`;
  const ask = async (path: string): Promise<JsonObject | undefined> => {
    const bearer = typeof token === 'string' ? token : token();
    const response = await fetch(`${base}/spaces/${encodeURIComponent(space)}/proposals${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const body: unknown = await response.json();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The gateway answered with HTTP status ${response.status}.`);
    return isJsonObject(body) ? body : undefined;
  };
  return {
    async list() {
      return objectsIn((await ask(''))?.['proposals']);
    },
    async find(id) {
      const { proposal, history } = (await ask(`/${encodeURIComponent(id)}`)) ?? {};
      if (!isJsonObject(proposal)) return undefined;
      const messages = objectsIn(history).flatMap(({ message }) => (isJsonObject(message) ? [message] : []));
      return { proposal, messages };
    },
  };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
