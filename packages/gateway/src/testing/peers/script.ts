import { defined, type JsonObject } from '@proffer/core/json';
import { type Answer, ask } from './http.js';
import { connectPeer, type Message, type Peer } from './peer.js';

/** A tool with arguments. */
export const CALL = { tool: 'echo', arguments: { text: 'hello' } };
/** The same as params of `tools/call`. */
export const PARAMS = { name: 'echo', arguments: { text: 'hello' } };

/** What a request has besides its body. */
interface Sent {
  readonly key?: string;
  readonly query?: string;
  readonly text?: string;
}

/** What a script does with curl. */
export function scriptOf(http: string) {
  const base = `${http}/spaces/main/proposals`;
  const send = (who: string, path: string, body: JsonObject, { key, query = '', text }: Sent = {}) =>
    ask(`${base}${path}${query}`, who, {
      method: 'POST',
      body: text ?? JSON.stringify(body),
      headers: defined({ 'idempotency-key': key }),
    });
  return {
    send,
    propose: (who: string, body: JsonObject = CALL, sent: Sent = {}) => send(who, '', body, sent),
    show: (id: string, query = '') => ask(`${base}/${id}${query}`, 'agent'),
    base,
  };
}

export const idOf = ({ body }: Answer): string => body['id'] as string;
export const proposalIn = ({ body }: Answer): JsonObject => body['proposal'] as JsonObject;
export const digestIn = (answer: Answer): string => proposalIn(answer)['digest'] as string;

/** Serves the tool. */
export async function serveEcho(ws: string): Promise<Peer> {
  const tools = await connectPeer(ws, 'tools');
  await tools.say({
    id: `t-${Math.random()}`,
    kind: 'mcpx.announce.tools',
    payload: { tools: [{ name: 'echo' }] },
  });
  return tools;
}

/** Answers the first request, past or future. */
export async function answerNext(tools: Peer): Promise<Message> {
  const request = await tools.next(({ kind }) => kind.startsWith('mcp.request.'));
  tools.send({
    id: `a-${request.id}`,
    kind: 'mcp.response.tools/call',
    correlationId: request.id,
    payload: { result: { content: [{ type: 'text', text: 'hello' }] } },
  });
  return request;
}
