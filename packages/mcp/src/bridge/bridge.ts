import { OperationFailedError, type Participant, type Tool } from '@proffer/client';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import type { Channel } from '../channel/channel.js';
import { createShallowChannel } from '../channel/shallow-channel.js';
import { type Clock, SYSTEM_CLOCK } from '../clock.js';
import { errorToThrow } from '../guard/failure-outcome.js';
import { ServerRequests } from '../guard/server-requests.js';
import { toolsIn } from '../guard/wait-tool.js';
import { answerTo, INTERNAL_ERROR, isRequest, notificationOf } from '../json-rpc.js';
import { restartDelay } from './restart-delay.js';

export interface BridgeOptions {
  readonly participant: Participant;
  /** Starts the server, each time it is needed. */
  readonly openServer: () => Channel;
  readonly clock?: Clock;
  /** Hears what an operator should know, a line each. */
  readonly log?: (line: string) => void;
}

/** The server's answer to `initialize` is the revision that both sides speak; this is the one that is offered. */
const REVISION = '2025-11-25';

const METHOD_NOT_FOUND = -32_601;
const MOST_PAGES = 100;

/** A run that lasted this long was a good one: the next restart comes quickly again. In milliseconds. */
const GOOD_RUN = 30_000;

/**
 * An MCP server as an executor in a space: announces its tools, and answers requests that are routed to
 * it. A server that dies is started again; what it was running then has an unknown outcome (O-23).
 */
export class Bridge {
  readonly #participant: Participant;
  readonly #openServer: () => Channel;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  #server: { readonly channel: Channel; readonly requests: ServerRequests } | undefined;
  #serving: { stop(): Promise<void> } | undefined;
  #listing: Promise<void> = Promise.resolve();
  #failures = 0;
  #isClosed = false;
  #stopRestart: () => void = () => {};

  private constructor({ participant, openServer, clock = SYSTEM_CLOCK, log = () => {} }: BridgeOptions) {
    this.#participant = participant;
    this.#openServer = openServer;
    this.#clock = clock;
    this.#log = log;
  }

  /** Starts the server and announces its tools. Fails if the server cannot be started the first time. */
  static async start(options: BridgeOptions): Promise<Bridge> {
    const bridge = new Bridge(options);
    await bridge.#start();
    return bridge;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopRestart();
    await this.#participant.close();
    await this.#server?.channel.close();
  }

  async #start(): Promise<void> {
    const channel = createShallowChannel(this.#openServer());
    const requests = new ServerRequests(channel);
    const startedAt = this.#clock.now();
    await channel.open({
      onMessage: (message) => this.#take(message, channel, requests),
      onUnanswered: (id, cause) => void requests.lose(id, cause),
      onClose: (cause = new Error('The server went away.')) => {
        requests.end(cause);
        if (this.#server?.channel === channel) this.#server = undefined;
        if (this.#clock.now() - startedAt >= GOOD_RUN) this.#failures = 0;
        this.#restartLater(cause);
      },
      onDrain: () => {},
    });
    const params = {
      protocolVersion: REVISION,
      capabilities: {},
      clientInfo: { name: 'proffer-bridge', version: '0.1.0' },
    };
    const answer = await requests.ask(requests.nextId(), { method: 'initialize', params });
    if ('error' in answer) throw errorToThrow(answer.error);
    channel.send(notificationOf('notifications/initialized', {}));
    this.#server = { channel, requests };
    await this.#list(requests);
  }

  #restartLater(cause: Error): void {
    if (this.#isClosed) return;
    const delay = restartDelay(this.#failures++);
    this.#log(`${cause.message} It is started again in ${Math.round(delay / 100) / 10} s.`);
    this.#stopRestart = this.#clock.after(delay, () => {
      this.#start().catch((error: unknown) => {
        // A server that could not even be started has no end of its own that would be told.
        if (this.#server === undefined)
          this.#restartLater(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  #take(message: JsonObject, channel: Channel, requests: ServerRequests): void {
    if (requests.take(message)) return;
    const { method } = message;
    if (method === 'notifications/tools/list_changed') void this.#list(requests);
    if (!isRequest(message)) return;
    // There is nobody behind a bridge to sample for, to ask, or to have roots.
    const error = { code: METHOD_NOT_FOUND, message: `A bridge does not answer ${message.method}.` };
    channel.send(answerTo(message.id, method === 'ping' ? { result: {} } : { error }));
  }

  /** Announces the server's tools as they are now; one after the other, so that the last list stays. */
  #list(requests: ServerRequests): Promise<void> {
    this.#listing = this.#listing
      .then(() => this.#announce(requests))
      .catch((error: unknown) => {
        this.#log(
          `The tools could not be announced: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    return this.#listing;
  }

  async #announce(requests: ServerRequests): Promise<void> {
    const definitions: JsonObject[] = [];
    let params: JsonObject = {};
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await requests.ask(requests.nextId(), { method: 'tools/list', params });
      if ('error' in answer) throw errorToThrow(answer.error);
      definitions.push(...toolsIn(answer.result));
      const { nextCursor } = answer.result;
      if (typeof nextCursor !== 'string') break;
      params = { cursor: nextCursor };
    }
    const tools = definitions.flatMap((definition) => this.#toolFor(definition));
    const before = this.#serving;
    this.#serving = await this.#participant.serve(tools);
    // Takes away what is no longer in the list; tools of the same name were replaced.
    await before?.stop();
  }

  #toolFor({ name, description, inputSchema, annotations }: JsonObject): readonly Tool[] {
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
        ...(isJsonObject(annotations) ? { annotations } : {}),
        handler: (args, { from }) => this.#call(name, args, from),
      },
    ];
  }

  async #call(name: string, args: JsonObject, from: string): Promise<JsonValue> {
    const requests = this.#server?.requests;
    if (requests === undefined)
      throw new OperationFailedError(INTERNAL_ERROR, 'The server is not running now; nothing was run.');
    const params = { name, arguments: args };
    const asked = requests.ask(requests.nextId(), { method: 'tools/call', params });
    const answer = await asked.catch((error: unknown) => {
      const text = `The outcome of a call of ${name} is unknown: ${error instanceof Error ? error.message : String(error)}`;
      this.#log(text);
      this.#participant.chat(text, { to: from }).catch(() => {});
      // Without an answer the gateway declares the outcome unknown (O-23); an error would say that it ended.
      return new Promise<never>(() => {});
    });
    if ('error' in answer) throw errorToThrow(answer.error);
    return answer.result;
  }
}
