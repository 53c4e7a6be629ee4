import { OperationFailedError, type Participant, type Tool } from '@proffer/client';
import { digestJson, isJsonObject, type JsonObject } from '@proffer/core';
import { INVALID_PARAMS, textAt } from '../json-rpc.js';
import { qualifiedName } from './call-key.js';
import type { PinStore } from './pin-file.js';
import { TRUST_TOOL } from './tool-call.js';
import { type ChangedTool, comparePins, pinDigest } from './tool-pins.js';
import { ToolViews, type Viewing } from './tool-views.js';

/** Tools that a server does not list and that are called all the same, at most. */
const MOST_UNLISTED = 100;

export interface ToolbookOptions {
  readonly participant: Participant;
  readonly server: string;
  readonly pins: PinStore;
  /** What runs an approved call of a tool. */
  readonly executor: (tool: string, definition: JsonObject) => Tool;
  readonly log: (line: string) => void;
}

/**
 * What a server's tools are, as far as it has shown them: announced in the space, and compared with how
 * they were first seen. A tool that changed is not trusted until somebody accepts the change.
 */
export class Toolbook {
  readonly #options: ToolbookOptions;
  readonly #definitions = new Map<string, JsonObject>();
  readonly #views = new ToolViews();
  /** Proposals to accept a change that were made and not accepted. */
  readonly #proposed = new Set<string>();
  readonly #unlisted = new Set<string>();
  #pins: ReadonlyMap<string, JsonObject>;
  #announcing: Promise<void> = Promise.resolve();

  /** Throws if the pins cannot be read. */
  constructor(options: ToolbookOptions) {
    this.#options = options;
    this.#pins = options.pins.load();
  }

  definition(tool: string): JsonObject | undefined {
    return this.#definitions.get(tool);
  }

  /** Whether the definition of a tool is not the one that was pinned, and nobody has accepted it. */
  isChanged(tool: string): boolean {
    return this.#views.has(tool);
  }

  /**
   * Takes in definitions that the server showed; settles when they are announced. A tool that somebody was
   * shown changed stays so until the change is accepted, or that somebody is shown it as it was pinned.
   *
   * @param viewing - to whom it showed them; by default to the guard itself
   */
  async learn(shown: readonly JsonObject[], viewing: Viewing = { by: this }): Promise<void> {
    const tools = shown.filter(({ name }) => typeof name === 'string' && name !== TRUST_TOOL);
    const { fresh, changed } = comparePins(this.#pins, tools);
    if (fresh.size > 0) this.#pin(fresh);
    for (const tool of new Set(tools.map((definition) => textAt(definition, 'name')))) {
      const changes = changed.filter((change) => change.tool === tool);
      this.#views.note(tool, changes, viewing);
    }
    const news = tools.filter((definition) => this.#isNews(definition));
    for (const definition of news) this.#definitions.set(textAt(definition, 'name'), definition);
    if (news.length > 0) this.#announcing = this.#announce(news);
    await this.#announcing;
    for (const change of changed) this.#proposeTrust(change);
  }

  /** Somebody who was shown tools is gone for good. */
  forget(viewer: object): void {
    this.#views.forget(viewer);
  }

  /**
   * Makes sure that a call of a tool can be approved, also of one that the server does not list, which
   * only the server knows whether it has. False if there are too many of those.
   */
  async offer(tool: string): Promise<boolean> {
    if (this.#definitions.has(tool) || this.#unlisted.has(tool)) return true;
    if (this.#unlisted.size >= MOST_UNLISTED) return false;
    this.#unlisted.add(tool);
    await this.#announce([{ name: tool }]);
    return true;
  }

  #isNews(definition: JsonObject): boolean {
    const known = this.#definitions.get(textAt(definition, 'name'));
    return known === undefined || pinDigest(known) !== pinDigest(definition);
  }

  #pin(pins: ReadonlyMap<string, JsonObject>): void {
    this.#pins = new Map([...this.#pins, ...pins]);
    this.#options.pins.save(pins);
  }

  async #announce(news: readonly JsonObject[]): Promise<void> {
    const { participant, executor, log } = this.#options;
    const tools = news.map((definition) => executor(textAt(definition, 'name'), definition));
    try {
      await participant.serve([...tools, this.#trustTool()]);
    } catch (error) {
      log(`The tools could not be announced: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #trustTool(): Tool {
    const { participant, server } = this.#options;
    return {
      name: qualifiedName(participant.name, server, TRUST_TOOL),
      description: 'Accepts that a tool of this server is no longer what it was when it was first seen.',
      handler: ({ tool, is }, { proposal }) => {
        const isText = typeof tool === 'string' && isJsonObject(is);
        const change = isText ? this.#views.find(tool, pinDigest(is)) : undefined;
        // A request for it that merely mentions some proposal is nobody's approval of this change.
        if (change === undefined || proposal !== this.#trustId(change)) {
          throw new OperationFailedError(
            INVALID_PARAMS,
            'Nothing was accepted: the tool is not, or no longer, like this.',
          );
        }
        this.#accept(change);
        return `The changed definition of ${change.tool} is accepted.`;
      },
    };
  }

  #accept(change: ChangedTool): void {
    const { tool, is } = change;
    if (this.#views.find(tool, pinDigest(is)) === undefined) return;
    this.#pin(new Map([[tool, is]]));
    this.#views.accept(tool, pinDigest(is));
    this.#proposed.delete(this.#trustId(change));
  }

  /** Follows from the change, so that there is one proposal for each. */
  #trustId({ tool, was, is }: ChangedTool): string {
    const { participant, server } = this.#options;
    return `trust-${digestJson({ principal: participant.name, server, tool, was, is }).slice(7, 39)}`;
  }

  /**
   * Once for each change: a rejection holds until the tool changes again, and a change that was accepted
   * once, maybe just before a crash, is accepted.
   */
  #proposeTrust(change: ChangedTool): void {
    const { tool, was, is } = change;
    const { participant, server, log } = this.#options;
    const id = this.#trustId(change);
    if (this.#proposed.has(id)) return;
    this.#proposed.add(id);
    log(`The tool ${tool} is not what it was. Its calls need approval until somebody accepts the change.`);
    const name = qualifiedName(participant.name, server, TRUST_TOOL);
    participant
      .propose('tools/call', { name, arguments: { tool, was, is } }, { id, failOnFirstRejection: true })
      .then(
        () => this.#accept(change),
        (error: unknown) =>
          log(
            `The change of ${tool} was not accepted: ${error instanceof Error ? error.message : String(error)}`,
          ),
      );
  }
}
