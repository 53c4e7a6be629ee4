import { type Clock, errorToThrow } from '@proffer/client/own-calls';
import type { OtherRequests, Participant, Tool } from '@proffer/client/participation';
import { isToolName } from '@proffer/core';
import { isJsonArray, isJsonObject, type JsonObject, sameJson } from '@proffer/core/json';
import { withoutHints } from '../hints.js';
import type { RpcAnswer } from '../json-rpc.js';
import type { Reads } from './reads.js';
import { LISTS, type List, type ServerSession } from './server-session.js';

export interface AnnouncementsOptions {
  readonly participant: Participant;
  readonly clock: Clock;
  readonly reads: Reads;
  /** Whether what the server says about its tools is announced. */
  readonly trustsHints: boolean;
  /** The running server to list. */
  readonly session: () => ServerSession | undefined;
  /** Runs a call of an announced tool. */
  readonly call: (name: string) => Tool['handler'];
  /** Answers everything that is not about tools. */
  readonly answer: OtherRequests['handler'];
  readonly log: (line: string) => void;
}

type Others = Pick<OtherRequests, 'resources' | 'prompts'>;

/** The minimum interval between listings, in milliseconds: a server may report changes at any rate. */
const PAUSE = 1_000;

/**
 * Announces what a server lists (O-26) whenever it has changed. One listing runs at a time, at most one more is queued,
 * and they are at least a second apart, whatever the server says.
 */
export class Announcements {
  readonly #options: AnnouncementsOptions;
  readonly #stale = new Set<List>();
  readonly #announced = new Map<List, readonly JsonObject[]>();
  #tools: readonly Tool[] = [];
  #others: Others = {};
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    // Another participant may have served under our name in between, so what the space knows is uncertain.
    options.participant.on('welcome', () => this.#announced.clear());
  }

  /** Answers everything that is not about tools, before anything is announced. */
  begin(): Promise<void> {
    return this.#announceOthers(this.#others);
  }

  /** Lists again what may have changed; resolves when it is announced, or when the failure is reported. */
  refresh(lists: readonly List[]): Promise<void> {
    for (const list of lists) this.#stale.add(list);
    this.#next ??= this.#listNext();
    return this.#next;
  }

  async #listNext(): Promise<void> {
    const { clock } = this.#options;
    await this.#running;
    const wait = this.#listedAt + PAUSE - clock.now();
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
    this.#next = undefined;
    this.#running = this.#listStale();
    await this.#running;
  }

  async #listStale(): Promise<void> {
    const lists = LISTS.filter((list) => this.#stale.has(list));
    this.#stale.clear();
    for (const list of lists) {
      const session = this.#options.session();
      // When the next server is ready, all its lists are announced.
      if (session === undefined) return;
      await this.#list(list, session).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.log(`The ${list} could not be announced: ${why}`);
      });
    }
    this.#listedAt = this.#options.clock.now();
  }

  async #list(list: List, session: ServerSession): Promise<void> {
    const { reads } = this.#options;
    const definitions = session.has(list)
      ? await listAll(list, (method, params) => reads.askInTime(session, method, params))
      : [];
    if (list === 'tools') {
      const tools = announcedTools(definitions, this.#options.trustsHints);
      return this.#announce(list, tools, () => this.#announceTools(tools));
    }
    const announced = announcedAs(list, definitions);
    const known = this.#others[list] ?? this.#options.participant.welcome.you.serves[list];
    if (announced.length === 0 && !(isJsonArray(known) && known.length > 0)) return;
    await this.#announce(list, announced, () => this.#announceOthers({ ...this.#others, [list]: announced }));
  }

  async #announce(
    list: List,
    definitions: readonly JsonObject[],
    announce: () => Promise<void>,
  ): Promise<void> {
    const last = this.#announced.get(list);
    if (last !== undefined && sameJson(last, definitions)) return;
    // Until the space confirms it, nothing counts as equal to it.
    this.#announced.delete(list);
    await announce();
    this.#announced.set(list, definitions);
  }

  async #announceTools(definitions: readonly Omit<Tool, 'handler'>[]): Promise<void> {
    const { participant, call } = this.#options;
    const tools = definitions.map((tool) => ({ ...tool, handler: call(tool.name) }));
    await participant.serve(tools, this.#tools);
    this.#tools = tools;
  }

  async #announceOthers(others: Others): Promise<void> {
    const { participant, answer } = this.#options;
    await participant.answer({ ...others, handler: answer });
    this.#others = others;
  }
}

const MAX_PAGES = 100;

/** The announced fields of a resource or prompt: those that describe it to people and agents. */
const ANNOUNCED = ['uri', 'name', 'title', 'description', 'mimeType', 'arguments'];

/** Everything that a server lists, page by page; rejects with the server's own error. */
async function listAll(
  list: List,
  ask: (method: string, params: JsonObject) => Promise<RpcAnswer>,
): Promise<readonly JsonObject[]> {
  const definitions: JsonObject[] = [];
  let params: JsonObject = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(`${list}/list`, params);
    if ('error' in answer) throw errorToThrow(answer.error);
    const listed = answer.result[list];
    if (isJsonArray(listed)) definitions.push(...listed.filter(isJsonObject));
    const { nextCursor } = answer.result;
    if (typeof nextCursor !== 'string') break;
    params = { cursor: nextCursor };
  }
  return definitions;
}

/**
 * Tool definitions as announced; those without a name are left out.
 *
 * @param trustsHints - whether they keep what the server says about its tools
 */
export function announcedTools(
  definitions: readonly JsonObject[],
  trustsHints: boolean,
): readonly Omit<Tool, 'handler'>[] {
  return definitions.flatMap((definition) => {
    const { name, description, inputSchema, annotations } = trustsHints
      ? definition
      : withoutHints(definition);
    if (!isToolName(name)) return [];
    return [
      {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
        ...(isJsonObject(annotations) ? { annotations } : {}),
      },
    ];
  });
}

/** Resource or prompt definitions as announced: each once, without those that have no name. */
function announcedAs(
  list: 'resources' | 'prompts',
  definitions: readonly JsonObject[],
): readonly JsonObject[] {
  const key = list === 'resources' ? 'uri' : 'name';
  const named = new Map<string, JsonObject>();
  for (const definition of definitions) {
    const name = definition[key];
    if (typeof name !== 'string' || name === '' || named.has(name)) continue;
    if (list === 'prompts' && !isToolName(name)) continue;
    const known = ANNOUNCED.filter((member) => Object.hasOwn(definition, member));
    named.set(name, Object.fromEntries(known.map((member) => [member, definition[member] ?? null])));
  }
  return [...named.values()];
}
