import { correlationIds, GATEWAY } from '@proffer/core';
import { describe, type JsonObject, type JsonValue, objectOf, textOf } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Message } from '../connection/message.js';
import { OperationFailedError, RefusedError } from '../errors.js';
import { RecentIdSet } from '../operations/recent-ids.js';
import { errorOf, INTERNAL_ERROR, isNotification } from './responses.js';
import {
  ANSWERED_LATER,
  type OtherRequests,
  type Tool,
  type ToolCall,
  toolDefinition,
  toolResult,
} from './serve.js';

/** How long to wait for the rest of what was missed if its end cannot be seen, in milliseconds. */
const PATIENCE = 1_000;

/** How many requests are kept; those beyond are not run, and their outcome becomes unknown. */
const MOST = 1_000;

/**
 * Requests that arrived while there was no connection. Whether one should still run is known once
 * everything missed has arrived: if its outcome was declared unknown in the meantime, others have
 * been told so, and it must not run any more (O-23).
 */
class MissedRequests {
  readonly #run: (request: Message) => void;
  readonly #requests = new Map<string, Message>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: (request: Message) => void) {
    this.#run = run;
  }

  put(request: Message): void {
    if (this.#requests.size < MOST) this.#requests.set(request.id, request);
    this.#timer ??= setTimeout(() => this.flush(), PATIENCE);
  }

  /** @param until - the `seq` at which the missed part ends */
  take(message: Message, until: number): void {
    if (this.#requests.size === 0) return;
    const { kind, from, payload, seq = 0 } = message;
    const isUnknown = kind === 'system.notice' && from === GATEWAY && payload['notice'] === 'outcome_unknown';
    if (isUnknown && typeof payload['request'] === 'string') this.#requests.delete(payload['request']);
    if (kind.startsWith('mcp.response')) {
      for (const request of correlationIds(message)) this.#requests.delete(request);
    }
    if (seq >= until) this.flush();
  }

  /** Runs what is left. */
  flush(): void {
    const requests = [...this.#requests.values()];
    this.clear();
    for (const request of requests) this.#run(request);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#requests.clear();
  }
}

/** JSON-RPC: invalid params. */
const INVALID_PARAMS = -32_602;

/**
 * How long a response may go unanswered before it counts as ignored, in milliseconds: the gateway
 * accepts only the first.
 */
const SILENCE = 30_000;

const TOOL_METHODS: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list']);
const OTHER_LISTS = ['resources', 'prompts'] as const;

/** How many requests are kept for tools that are not there yet. */
const MAX_EARLY = 1_000;

/** What this participant runs and answers for others: mainly tools. */
export class Service {
  readonly #exchange: Exchange;
  readonly #onFault: (error: unknown) => void;
  readonly #tools = new Map<string, Tool>();
  readonly #ran = new RecentIdSet();
  readonly #closing = new AbortController();
  /** Requests up to here were made to the previous connection under our name, and may have run. */
  readonly #since: number;
  readonly #missed = new MissedRequests((request) => void this.#answer(request));
  /** Requests that arrived before the first tool was added: the gateway may know us from earlier. */
  #early: Message[] | undefined = [];
  /** Whether we announced that we serve under our name, with or without tools. */
  #isServing = false;
  #others: OtherRequests | undefined;
  /** Another connection serves under our name: requests to it are not for us. */
  #isElsewhere = false;

  constructor(exchange: Exchange, since: number, onFault: (error: unknown) => void) {
    this.#exchange = exchange;
    this.#since = since;
    this.#onFault = onFault;
    exchange.messages.add((message) => this.#take(message));
    // Announced again each time: another connection may have started to serve under our name.
    exchange.welcomes.add(() => {
      if (this.#isServing) this.#announce().catch((error: unknown) => this.#lose(error));
      this.#announceOthers(undefined).catch((error: unknown) => this.#lose(error));
    });
    exchange.endings.add((reason) => {
      this.#missed.clear();
      this.#closing.abort(reason);
    });
  }

  /**
   * Serves under our name without tools: requests wait until there are tools. Refused if another
   * connection serves under our name.
   */
  async claim(): Promise<void> {
    try {
      await this.#announce();
      this.#isServing = true;
    } catch (error) {
      this.#giveUpIfElsewhere(error);
      throw error;
    }
  }

  /**
   * Adds tools, replacing those of the same name and those passed as `instead`; settles when they are
   * announced. Refused, and nothing is run, if another connection serves under our name.
   */
  async serve(tools: readonly Tool[], instead: readonly Tool[] = []): Promise<void> {
    const before = new Map(this.#tools);
    this.#remove(instead);
    for (const tool of tools) this.#tools.set(tool.name, tool);
    try {
      await this.#announce();
    } catch (error) {
      this.#tools.clear();
      for (const [name, tool] of before) this.#tools.set(name, tool);
      this.#giveUpIfElsewhere(error);
      throw error;
    }
    this.#isServing = true;
    this.#isElsewhere = false;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const request of early) this.#take(request);
  }

  /** Stops serving tools; settles when that is announced. */
  async withdraw(tools: readonly Tool[]): Promise<void> {
    this.#remove(tools);
    await this.#announce();
  }

  #remove(tools: readonly Tool[]): void {
    for (const tool of tools) {
      if (this.#tools.get(tool.name) === tool) this.#tools.delete(tool.name);
    }
  }

  /** Sets the handler for everything that is not about tools; settles when the lists are announced. */
  async answer(others: OtherRequests): Promise<void> {
    const before = this.#others;
    this.#others = others;
    try {
      await this.#announceOthers(before);
    } catch (error) {
      this.#giveUpIfElsewhere(error);
      throw error;
    }
  }

  /** Running anything while another connection serves under our name would run it twice. */
  #giveUpIfElsewhere(error: unknown): void {
    if (!(error instanceof RefusedError) || error.code !== 'already_serving') return;
    this.#tools.clear();
    this.#early = [];
    this.#isServing = false;
    this.#others = undefined;
    this.#isElsewhere = true;
  }

  /**
   * After reconnecting: if another connection serves under our name, it continues, and our user is
   * told.
   */
  #lose(error: unknown): void {
    this.#giveUpIfElsewhere(error);
    if (this.#isElsewhere) this.#onFault(error);
  }

  #definitions(): readonly JsonObject[] {
    return [...this.#tools.values()].map(toolDefinition);
  }

  async #announce(): Promise<void> {
    await this.#exchange.send({ kind: 'mcpx.announce.tools', payload: { tools: this.#definitions() } });
  }

  /** Announces the lists that have changed. */
  async #announceOthers(before: OtherRequests | undefined): Promise<void> {
    for (const list of OTHER_LISTS) {
      const definitions = this.#others?.[list];
      if (definitions === undefined || definitions === before?.[list]) continue;
      await this.#exchange.send({ kind: `mcpx.announce.${list}`, payload: { [list]: definitions } });
    }
  }

  #answers({ payload: { method } }: Message): boolean {
    if (TOOL_METHODS.has(method)) return true;
    return this.#others !== undefined && typeof method === 'string' && !isNotification(method);
  }

  #take(message: Message): void {
    const { welcome } = this.#exchange;
    const { id, to = [], seq = 0, kind, payload } = message;
    const isForUs = to.includes(welcome.you.id) && seq > this.#since && this.#answers(message);
    if (kind.startsWith('mcp.request.') && isForUs && !this.#isElsewhere) {
      if (this.#early !== undefined && TOOL_METHODS.has(payload['method'])) {
        if (this.#early.length < MAX_EARLY) this.#early.push(message);
      } else if (this.#ran.add(id)) {
        if (seq <= welcome.seq) this.#missed.put(message);
        else void this.#answer(message);
      }
    }
    this.#missed.take(message, welcome.seq);
  }

  async #answer(message: Message): Promise<void> {
    const { id, from, payload } = message;
    const method = textOf(payload['method']);
    const outcome = await this.#run(message, method);
    if (outcome === ANSWERED_LATER) return;
    const response = { jsonrpc: '2.0', id: payload['id'] ?? id, ...outcome };
    const draft = { kind: `mcp.response.${method}`, to: [from], correlationId: id };
    try {
      await this.#exchange.send({ ...draft, payload: response }, { silence: SILENCE });
    } catch (error) {
      if (this.#exchange.isOver) return;
      // A result that cannot be sent must not leave the others waiting.
      const instead = errorOf(new Error('The result could not be sent.'));
      this.#exchange
        .send({ ...draft, payload: { ...response, result: undefined, error: instead } }, { silence: SILENCE })
        .catch(() => {});
      this.#onFault(error);
    }
  }

  async #run(
    message: Message,
    method: string,
  ): Promise<{ readonly result: JsonValue } | { readonly error: JsonObject } | typeof ANSWERED_LATER> {
    try {
      const result = await this.#resultOf(message, method);
      return result === ANSWERED_LATER ? result : { result };
    } catch (error) {
      return { error: errorOf(error) };
    }
  }

  async #resultOf(
    { id, from, correlationId, payload }: Message,
    method: string,
  ): Promise<JsonValue | typeof ANSWERED_LATER> {
    if (method === 'tools/list') return { tools: this.#definitions() };
    const params = objectOf(payload['params']);
    const call: ToolCall = {
      id,
      from,
      ...(typeof correlationId === 'string' ? { proposal: correlationId } : {}),
      ...(typeof payload['grant'] === 'string' ? { grant: payload['grant'] } : {}),
      signal: this.#closing.signal,
    };
    if (method !== 'tools/call') {
      if (this.#others === undefined)
        throw new OperationFailedError(INTERNAL_ERROR, 'No participant here answers such requests.');
      return this.#others.handler({ method, params }, call);
    }
    const { name, arguments: args } = params;
    const tool = typeof name === 'string' ? this.#tools.get(name) : undefined;
    if (tool === undefined) throw new OperationFailedError(INVALID_PARAMS, `Unknown tool: ${describe(name)}`);
    const returned = await tool.handler(objectOf(args), call);
    return returned === ANSWERED_LATER ? returned : toolResult(returned);
  }
}
