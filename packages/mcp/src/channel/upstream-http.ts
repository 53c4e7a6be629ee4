import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '@proffer/core/json';
import { answeredId, isRequest, objectAt, paramsOf, type RpcId } from '../json-rpc.js';
import { isModern } from '../revision.js';
import type { JsonRpcChannel } from './channel.js';
import { type ForwardedCredential, fetchWith } from './forwarded-credential.js';
import { createParamHeaders, type ParamHeaders } from './param-headers.js';
import { answerInFailure, mayHaveLostSession, namesSession, readSendFailure } from './send-failure.js';

export interface HttpUpstream {
  readonly url: URL;
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The known header parameters of its tools, shared by all channels to the server; default: not shared. */
  readonly params?: ParamHeaders;
  /** The client's credential for the server; default: none. */
  readonly credential?: ForwardedCredential | undefined;
}

/** Timeout for ending a session, in milliseconds. */
const TIMEOUT = 2_000;

/** A server over Streamable HTTP, in the revisions with and without sessions. */
export function createUpstreamHttp(server: HttpUpstream): JsonRpcChannel {
  const { url, headers = {}, params = createParamHeaders(), credential } = server;
  const ask = credential === undefined ? fetch : fetchWith(credential);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: async (input, init) => await linesAsEvents(await ask(input, init)),
  });
  /** Unanswered requests: how to cancel them, and whether their revision has no sessions. */
  const open = new Map<RpcId, { readonly calling: AbortController; readonly isModern: boolean }>();
  const lists = new Set<RpcId>();
  let initialize: RpcId | undefined;
  let isOver = false;
  let receive: ((message: JsonObject) => void) | undefined;
  let lose: ((id: RpcId, cause: Error) => void) | undefined;
  let doubt: (() => void) | undefined;

  function post(message: JsonObject): void {
    const id = isRequest(message) ? message.id : undefined;
    const calling = new AbortController();
    const isOfModern = isModern(paramsOf(message));
    if (id !== undefined) open.set(id, { calling, isModern: isOfModern });
    if (message['method'] === 'initialize') initialize = id;
    if (message['method'] === 'tools/list' && id !== undefined) lists.add(id);
    const isCall = message['method'] === 'tools/call' && isOfModern;
    const hasSession = transport.sessionId !== undefined;
    const give = (cause: Error): void => {
      if (id !== undefined) lists.delete(id);
      if (id !== undefined && open.delete(id) && !calling.signal.aborted) lose?.(id, cause);
    };
    transport
      .send(message as unknown as JSONRPCMessage, {
        requestSignal: calling.signal,
        ...(isCall ? { headers: params.headersFor(paramsOf(message)) } : {}),
        onRequestStreamEnd: () => give(new Error('The server ended its answer early.')),
      })
      .catch((error: unknown) => {
        // The server's message is the answer, whatever the status.
        const answer = id === undefined ? undefined : answerInFailure(error, id);
        const isGone = answer !== undefined && hasSession && mayHaveLostSession(error, answer);
        if (answer === undefined || (isGone && (message['method'] !== 'tools/call' || namesSession(answer))))
          give(readSendFailure(error, { url, hasSession }));
        else {
          receive?.(answer);
          // A call may have run before it was answered like this, so only the session is looked at.
          if (isGone) doubt?.();
        }
      });
  }

  return {
    async open({ onMessage, onUnanswered, onClose, onFault }) {
      lose = onUnanswered;
      doubt = onFault;
      receive = (message) => {
        const id = answeredId(message);
        if (id !== undefined) open.delete(id);
        if (id !== undefined && lists.delete(id)) params.learn(objectAt(message, 'result'));
        const { protocolVersion } = id !== undefined && id === initialize ? objectAt(message, 'result') : {};
        if (typeof protocolVersion === 'string') transport.setProtocolVersion(protocolVersion);
        onMessage(message);
      };
      Object.assign(transport, {
        onmessage: (message: JSONRPCMessage) => receive?.(message as unknown as JsonObject),
        onclose() {
          if (isOver) return;
          isOver = true;
          onClose();
        },
        // Errors of a request are reported for that request; others concern the server's event stream.
        onerror: () => onFault?.(),
      });
      await transport.start();
    },
    send(message) {
      if (isOver) return true;
      const { requestId } = message['method'] === 'notifications/cancelled' ? paramsOf(message) : {};
      const cancelled =
        typeof requestId === 'string' || typeof requestId === 'number' ? open.get(requestId) : undefined;
      // Without sessions, closing the stream of a request cancels it.
      if (cancelled?.isModern === true) cancelled.calling.abort();
      else post(message);
      return true;
    },
    pause() {},
    resume() {},
    async close() {
      isOver = true;
      const patience = new Promise<void>((resolve) => setTimeout(resolve, TIMEOUT).unref());
      await Promise.race([transport.terminateSession().catch(() => {}), patience]);
      await transport.close();
    },
  };
}

/**
 * Some servers keep an answer of type `application/json` open and write one message per line, as the example
 * server of the MCP conformance suite does. The MCP library reads only a complete answer or an event stream,
 * so such an answer becomes a stream. Any other is unchanged.
 */
export async function linesAsEvents(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (!response.ok || !isJson || body === null || headers.has('content-length')) return response;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let isComplete = false;
  /** Reads until the condition holds, or to the end. */
  const readUntil = async (isEnough: () => boolean): Promise<void> => {
    while (!isComplete && !isEnough()) {
      const { value, done } = await reader.read();
      text += value ?? '';
      isComplete = done;
    }
  };
  const hasLine = (): boolean => text.includes('\n');
  await readUntil(hasLine);
  if (!isWhole(text.slice(0, text.indexOf('\n') + 1))) {
    await readUntil(() => false);
    return new Response(text, { status, headers });
  }
  const events = new ReadableStream<string>({
    async pull(controller) {
      // With an empty queue, nobody would pull again.
      await readUntil(hasLine);
      const lines = text.split('\n');
      text = isComplete ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') controller.enqueue(`data: ${line.trim()}\n\n`);
      if (isComplete) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const stream = events.pipeThrough(new TextEncoderStream());
  const changed = new Headers(headers);
  changed.set('content-type', 'text/event-stream');
  return new Response(stream, { status, headers: changed });
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
