import type { ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import type { ChannelEvents, JsonRpcChannel } from '../channel/channel.js';
import { answerTo, INTERNAL_ERROR, isRequest, METHOD_NOT_FOUND } from '../json-rpc.js';
import { answerJson, openStream, responseLeft } from './answers.js';

/** One message of a client without sessions (2026-07-28), and the response to it. */
interface Exchange {
  readonly channel: JsonRpcChannel;
  /** Delivers the message to the opener of the channel. Resolves when the response is over. */
  run(): Promise<void>;
}

/**
 * How long an answer may take before the response becomes a stream, in milliseconds. An error within that
 * time has its own HTTP status; after it, headers and keep-alives are sent, so that no intermediary gives up.
 */
const QUIET = 1_000;
/** The interval of keep-alives on a silent stream, in milliseconds. */
const KEEP_ALIVE = 15_000;

/** The HTTP status that MCP requires for an error: others are sent with 200. */
const STATUS_OF: ReadonlyMap<unknown, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  [-32_020, 400], // headers and body disagree
  [-32_021, 400], // the client lacks a capability
  [-32_022, 400], // the server does not speak this revision
]);

/** Answers with JSON if the answer is the only message, and else with a stream that ends with the answer. */
export function createExchange(message: JsonObject, response: ServerResponse): Exchange {
  const asked = isRequest(message) ? message : undefined;
  const isLeft = responseLeft(response);
  let events: ChannelEvents | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = asked === undefined;

  function stream(): void {
    clearTimeout(timer);
    openStream(response);
    timer = setInterval(() => response.write(': keep-alive\n\n'), KEEP_ALIVE);
  }

  function answer(said: JsonObject): void {
    isAnswered = true;
    clearTimeout(timer);
    if (response.headersSent) response.end(eventOf(said));
    else answerJson(response, statusOf(asked?.method, said['error']), said);
  }

  return {
    channel: {
      async open(told) {
        events = told;
        response.on('drain', () => told.onDrain());
        response.once('close', () => {
          clearTimeout(timer);
          told.onClose();
        });
      },
      send(said) {
        if (isAnswered || response.destroyed) return true;
        // An error without an id is about the only request there is.
        const isAnswer = said['method'] === undefined && (said['id'] === asked?.id || said['id'] === null);
        if (isAnswer) answer({ ...said, id: asked?.id });
        else {
          if (!response.headersSent) stream();
          return response.write(eventOf(said));
        }
        return true;
      },
      left: () => isLeft,
      pause() {},
      resume() {},
      async close() {
        clearTimeout(timer);
        if (isAnswered || asked === undefined || response.destroyed) return;
        const error = { code: INTERNAL_ERROR, message: 'The server disconnected before it answered.' };
        answer(answerTo(asked.id, { error }));
      },
    },
    async run() {
      if (response.destroyed) return;
      const over = new Promise<void>((resolve) => response.once('close', resolve));
      events?.onMessage(message);
      if (asked === undefined) response.writeHead(202).end();
      else if (!isAnswered && !response.headersSent) timer = setTimeout(stream, QUIET);
      await over;
    },
  };
}

function eventOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function statusOf(method: string | undefined, error: unknown): number {
  const { code, data } = objectOf(error);
  // A tool call uses an existing method: then the tool itself answers.
  if (method === 'tools/call' && code === METHOD_NOT_FOUND) return 200;
  // A server that does not know this revision at all refuses its requests, and clients rely on that.
  if (isJsonObject(data) && data['httpStatus'] === 400) return 400;
  return STATUS_OF.get(code) ?? 200;
}
