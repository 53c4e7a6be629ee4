import type { Clock } from '@proffer/client/own-calls';
import type { Participant, Tool } from '@proffer/client/participation';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { hasHints, withoutHints } from '../../hints.js';
import { qualifiedName } from '../call-identity.js';
import type { ProposalArchive } from '../recovery/index.js';
import {
  ALL_TOOLS,
  MAX_IN_ALL,
  MAX_IN_ONE,
  MAX_TOOLS,
  PinBook,
  type PinStore,
  type ReadDefinition,
  readDefinitions,
  type ServerSource,
  ShownTools,
  ToolViews,
  TrustQuestions,
  trustedDigest,
  trustedHints,
  UNTRUSTED,
  type Viewing,
} from '../trust/index.js';
import { Announcer } from './announcer.js';
import { TaskSupport } from './tool-listing.js';

/**
 * The maximum number of tools that are called without being announced, because the server does not list them
 * or lists too many.
 */
const MAX_UNLISTED = 100;

export interface ToolbookOptions {
  readonly participant: Participant;
  readonly server: string;
  readonly pins: PinStore;
  /** Runs an approved call of a tool. */
  readonly executor: (tool: string, definition: JsonObject) => Tool;
  /** Where the server comes from, for people to judge. */
  readonly source: ServerSource;
  /** Whether the rules trust the server's hints; `undefined` to ask people, once. */
  readonly hints: () => boolean | undefined;
  readonly isWatching: () => boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/**
 * The tools that a server has shown: announced in the space, and compared with how they were first seen. A tool is
 * trusted as it was first seen, or as someone accepted it since; one that is shown differently is not trusted.
 */
export class Toolbook {
  readonly taskSupport = new TaskSupport();
  readonly #options: ToolbookOptions;
  readonly #pins: PinBook;
  readonly #shown: ShownTools;
  readonly #views = new ToolViews();
  readonly #questions: TrustQuestions;
  readonly #announcer: Announcer;
  readonly #unlisted = new Set<string>();
  #isFull = false;
  #calledItself: string | undefined;

  /** Throws if the pins cannot be read. */
  constructor(options: ToolbookOptions) {
    this.#options = options;
    this.#pins = new PinBook(options.pins);
    this.#shown = new ShownTools(this.#pins);
    this.#questions = new TrustQuestions({
      ...options,
      pins: this.#pins,
      shown: this.#shown,
      views: this.#views,
      onAccepted: (tool) => {
        if (tool === ALL_TOOLS) void this.#announcer.update();
      },
    });
    this.#announcer = new Announcer({ ...options, tools: () => this.#tools() });
  }

  /** Resumes the questions of an earlier run. */
  async adopt(archive: ProposalArchive): Promise<void> {
    await this.#questions.adopt(archive);
  }

  /** Stops asking. */
  close(): void {
    this.#questions.close();
  }

  /** A tool as last shown by its server in this run; partial if it was too large. */
  definition(tool: string): JsonObject | undefined {
    return this.#shown.get(tool)?.definition;
  }

  /** A tool that its server has shown in this run as it was first seen, or as it was accepted since. */
  trusted(tool: string): JsonObject | undefined {
    return this.#shown.get(tool) === undefined ? undefined : this.#pins.get(tool)?.definition;
  }

  /** What its server says about a tool, if that counts: somebody trusts its hints, and the tool is as it was first seen. */
  annotations(tool: string): JsonObject | undefined {
    const { annotations } = (this.#areHintsTrusted ? this.trusted(tool) : undefined) ?? {};
    return isJsonObject(annotations) ? annotations : undefined;
  }

  /** The server has said what it calls itself, if it did. */
  introduce(name: string | undefined): void {
    this.#calledItself ??= name;
  }

  /** Whether a tool differs from the trusted one, or could not be remembered for lack of room. */
  isUntrusted(tool: string): boolean {
    const isKnown = this.#shown.get(tool) !== undefined;
    return this.#views.has(tool) || (isKnown ? this.#pins.get(tool) === undefined : this.#shown.isFull);
  }

  /**
   * Processes definitions that the server showed; resolves when they are announced. A tool that was shown
   * changed stays changed until the change is accepted, or until the same viewer is shown the pinned version;
   * if that viewer is gone, until anyone is.
   *
   * @param viewing - to whom it showed them, by default to the guard itself; on a server that all clients
   * share, unless it says otherwise
   */
  async learn(shown: readonly JsonObject[], viewing: Partial<Viewing> = { by: this }): Promise<void> {
    this.taskSupport.learn(shown);
    const read = readDefinitions(shown);
    this.#remember(read);
    const changes = this.#changesIn(read);
    for (const [tool, digests] of changes) this.#views.note(tool, digests, { on: this, ...viewing });
    const news = this.#oneOfEach(read).filter((definition) => this.#shown.set(definition));
    this.#sayWhatIsLeftOut(read);
    const announced = news.length > 0 ? this.#announcer.update() : Promise.resolve();
    const isMissing = news.some(({ tool }) => !this.#isAnnounced(tool));
    // The rest is announced as soon as it is called.
    if (isMissing && !this.#announcer.isBehind) await announced;
    this.#questions.review([...changes.keys(), ...this.#questionAboutHints()]);
  }

  /** A connection to the server on which tools were shown has ended. */
  forget(connection: object): void {
    this.#views.forget(connection);
  }

  /** Whether a call of a tool can be approved, or can be before long. */
  isOffered(tool: string): boolean {
    const isListed = this.#shown.get(tool) !== undefined;
    return this.#isAnnounced(tool) || (isListed && !this.#announcer.isBehind);
  }

  /**
   * Makes sure that a call of a tool can be approved, even one that the server does not list. False if there are too
   * many of those.
   */
  async offer(tool: string): Promise<boolean> {
    if (!this.#isAnnounced(tool) && this.#shown.get(tool) !== undefined) await this.#announcer.update(true);
    if (this.#isAnnounced(tool) || this.#unlisted.has(tool)) return true;
    if (this.#unlisted.size >= MAX_UNLISTED) return false;
    this.#unlisted.add(tool);
    await this.#announcer.update(true);
    return true;
  }

  /** Announces the tools of calls that wait from an earlier run, as pinned, until the server lists them. */
  async offerAgain(tools: readonly string[]): Promise<void> {
    const missing = [...new Set(tools)].slice(0, MAX_UNLISTED);
    if (missing.length === 0) return;
    for (const tool of missing) this.#unlisted.add(tool);
    await this.#announcer.update(true);
  }

  get #areHintsTrusted(): boolean {
    const { hints, source } = this.#options;
    return hints() ?? this.#pins.digest(ALL_TOOLS) === trustedDigest(source);
  }

  /** A server that describes its tools is asked about, unless the rules decide about its hints. */
  #questionAboutHints(): readonly string[] {
    const { hints, source } = this.#options;
    if (hints() !== undefined || this.#areHintsTrusted) return [];
    const tools = [...this.#shown.entries()];
    if (!tools.some(([, definition]) => hasHints(definition))) return [];
    this.#remember([UNTRUSTED]);
    const asked = trustedHints(source, tools, this.#calledItself);
    this.#shown.set(asked);
    this.#views.note(ALL_TOOLS, [asked.digest], { by: this, on: this });
    return [ALL_TOOLS];
  }

  #isAnnounced(tool: string): boolean {
    return this.#announcer.has(this.#qualified(tool));
  }

  /** What cannot be saved is not trusted either. */
  #remember(read: readonly ReadDefinition[]): void {
    try {
      this.#pins.addFresh(read);
    } catch (error) {
      this.#options.log(`The tools could not be stored: ${String(error)}`);
    }
  }

  #qualified(tool: string): string {
    const { participant, server } = this.#options;
    return qualifiedName(participant.name, server, tool);
  }

  /** The digests of tools that differ from their pins, by tool. */
  #changesIn(read: readonly ReadDefinition[]): ReadonlyMap<string, readonly string[]> {
    const changes = new Map<string, string[]>();
    for (const { tool, digest } of read) {
      const digests = changes.get(tool) ?? [];
      const pinned = this.#pins.digest(tool);
      if (pinned !== undefined && pinned !== digest) digests.push(digest);
      changes.set(tool, digests);
    }
    return changes;
  }

  /**
   * For a tool that is listed more than once, a definition that differs from its pin: that is what must be asked about.
   */
  #oneOfEach(read: readonly ReadDefinition[]): readonly ReadDefinition[] {
    const chosen = new Map<string, ReadDefinition>();
    for (const definition of read) {
      const { tool, digest } = definition;
      if (!chosen.has(tool) || digest !== this.#pins.digest(tool)) chosen.set(tool, definition);
    }
    return [...chosen.values()];
  }

  #tools(): readonly Tool[] {
    const { executor } = this.#options;
    const called = [...this.#unlisted].map((tool): [string, JsonObject] => [
      tool,
      this.definition(tool) ?? this.#pins.get(tool)?.definition ?? { name: tool },
    ]);
    const listed = [...this.#shown.entries()].filter(([tool]) => !this.#unlisted.has(tool));
    const isTrusted = this.#areHintsTrusted;
    const tools = [...called, ...listed].map(([tool, definition]) =>
      executor(tool, isTrusted ? definition : withoutHints(definition)),
    );
    return [this.#questions.tool(), ...tools];
  }

  #sayWhatIsLeftOut(read: readonly ReadDefinition[]): void {
    const left = read.find(({ tool }) => this.#pins.get(tool) === undefined);
    if (left === undefined || this.#isFull) return;
    this.#isFull = true;
    this.#options.log(
      `Not all tools can be remembered, starting with ${left.tool}: the limits are ${MAX_TOOLS} tools, ${MAX_IN_ONE} bytes each and ${MAX_IN_ALL} in total. Calls to the others need approval.`,
    );
  }
}
