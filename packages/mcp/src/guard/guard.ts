import type { WaitingClient } from '@proffer/client/own-calls';
import type { Member, Participant } from '@proffer/client/participation';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describeDecision } from '@proffer/steward';
import type { JsonRpcChannel } from '../channel/channel.js';
import { createServerChannel } from '../channel/server-channel.js';
import { createShallowChannel } from '../channel/shallow-channel.js';
import { qualifiedName } from './call-identity.js';
import { PendingCalls } from './calls/index.js';
import { GuardedConnection, type GuardedConnectionOptions, NO_PROGRESS } from './client/index.js';
import { DecisionRecords, decideCall } from './decisions/index.js';
import { type GuardSettings, guardSettings } from './guard-settings.js';
import { type CallJournal, NO_CALL_JOURNAL, type ProposalArchive } from './recovery/index.js';
import { runOnServer } from './server/index.js';
import { asIfMadeAgain, createMetaNotice } from './tool-call.js';
import { spaceTool, Toolbook } from './tools/index.js';
import type { PinStore } from './trust/index.js';

export type GuardOptions = Pick<GuardSettings, 'server' | 'decide'> &
  Partial<GuardSettings> & {
    /** Proposes calls, and runs approved ones. */
    readonly participant: Participant;
    readonly archive: ProposalArchive;
    readonly pins: PinStore;
    /** Stores what must be known about calls after a crash; default: nothing. */
    readonly journal?: CallJournal;
  };

/** Puts approval in front of one MCP server, for any number of clients of it. */
export class Guard {
  readonly #participant: Participant;
  readonly #settings: GuardSettings;
  readonly #pendingCalls: PendingCalls;
  readonly #toolbook: Toolbook;
  readonly #records: DecisionRecords;
  readonly #journal: CallJournal;
  #closing: Promise<{ readonly begun: number }> | undefined;
  readonly #noticeMeta: (meta: JsonObject) => void;
  readonly #connections = new Set<GuardedConnection>();

  private constructor({ participant, archive, pins, journal = NO_CALL_JOURNAL, ...given }: GuardOptions) {
    const settings = guardSettings(given);
    const { server, identity, source, hints, isWatching, clock, ttl, window, recorded, log } = settings;
    this.#participant = participant;
    this.#journal = journal;
    this.#noticeMeta = createMetaNotice(log);
    this.#settings = settings;
    const denial = (tool: string, args: JsonObject) => this.#denial(tool, args);
    const about = { participant, archive, server, identity, clock, ttl, window, journal, denial };
    this.#pendingCalls = new PendingCalls(about);
    const executor = (tool: string, definition: JsonObject) => {
      const name = qualifiedName(participant.name, server, tool);
      return spaceTool(name, definition, (args, asked) => this.#pendingCalls.execute(tool, args, asked));
    };
    this.#toolbook = new Toolbook({
      participant,
      server,
      source,
      hints,
      isWatching,
      pins,
      executor,
      clock,
      log,
    });
    const annotations = (tool: string) => this.#toolbook.annotations(tool);
    this.#records = new DecisionRecords({ participant, server, annotations, clock, recorded, log });
  }

  /** Takes over what an earlier run left behind, then is ready. Throws if the pins cannot be read. */
  static async start(options: GuardOptions): Promise<Guard> {
    const guard = new Guard(options);
    await guard.#pendingCalls.adopt();
    await guard.#toolbook.adopt(options.archive);
    return guard;
  }

  /**
   * Sets where the calls of clients with single requests run. Calls of an earlier run that were promised to wait run
   * there as soon as they are approved, whether or not their caller has come back. So they can be approved before a
   * client has connected and listed the tools; otherwise there is no server to run them on until then.
   */
  async runCallsOn(open: () => JsonRpcChannel): Promise<void> {
    const about = { pendingCalls: this.#pendingCalls, settings: this.#settings, toolbook: this.#toolbook };
    const running = {
      ...about,
      runOn: () => createServerChannel(open()),
      send: () => true,
      owner: undefined,
    };
    const promised = this.#pendingCalls
      .pending()
      .filter(({ state, isUnattended }) => state.isPromised && isUnattended);
    for (const call of promised) {
      const asked = asIfMadeAgain(call.facts);
      const run: WaitingClient['run'] = (approval, stopping) =>
        runOnServer(running, { call, asked, approval, progress: NO_PROGRESS, stopping });
      this.#pendingCalls.parked.add(call, { run, comesBack: { owner: undefined, isTask: false } });
    }
    await this.#toolbook.offerAgain(promised.map(({ facts }) => facts.tool));
  }

  /**
   * Runs between a client and a server until one of them ends.
   *
   * @param about - `runOn`, for a client with single requests: the server that approved calls run on;
   * `scope`, if no other client may join its calls; `user`, if known
   */
  async connect(
    front: JsonRpcChannel,
    back: JsonRpcChannel,
    about: Pick<GuardedConnectionOptions, 'runOn' | 'scope' | 'user'> = {},
  ): Promise<GuardedConnection> {
    const { runOn } = about;
    const connection = new GuardedConnection({
      ...about,
      front: createShallowChannel(front),
      back: createServerChannel(back),
      settings: this.#settings,
      pendingCalls: this.#pendingCalls,
      toolbook: this.#toolbook,
      records: this.#records,
      principal: this.#participant.name,
      accept: (counter) => this.#participant.accept(counter),
      noticeMeta: this.#noticeMeta,
      ...(runOn === undefined ? {} : { runOn: () => createServerChannel(runOn()) }),
      approvers: () =>
        (this.#participant.isConnected ? this.#participant.participants : [])
          .filter(mayApprove)
          .map(({ id }) => id),
    });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    await connection.open();
    return connection;
  }

  /** The input schema of a tool, as last shown by its server; `undefined` if it showed none. */
  inputSchema(tool: string): JsonObject | undefined {
    const schema = this.#toolbook.definition(tool)?.['inputSchema'];
    return isJsonObject(schema) ? schema : undefined;
  }

  /**
   * Ends all connections. Undecided calls are withdrawn, since nobody waits for them any more; tasks stay for
   * callers that come back.
   *
   * @param reason - why it is withdrawn
   * @returns how many calls had begun, and may have run (O-23)
   */
  close(reason = 'the client closed the connection'): Promise<{ readonly begun: number }> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string): Promise<{ readonly begun: number }> {
    this.#toolbook.close();
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    const [withdrawn] = await Promise.all([this.#pendingCalls.withdrawAll(reason), this.#records.close()]);
    await this.#journal.flush();
    await this.#participant.close();
    // What the space acknowledged in the meantime is recorded, too: nothing is written after this.
    await this.#journal.flush();
    return withdrawn;
  }

  #denial(tool: string, args: JsonObject): string | undefined {
    const by = { settings: this.#settings, toolbook: this.#toolbook, principal: this.#participant.name };
    const decision = decideCall(by, tool, args);
    return decision.action === 'deny' ? describeDecision(decision) : undefined;
  }
}

/**
 * Whether a participant may make requests at all, which is how calls are approved. The gateway decides about each one.
 */
function mayApprove({ capabilities }: Member): boolean {
  return capabilities.some((capability) => {
    const kind =
      typeof capability === 'object' && capability !== null && 'kind' in capability
        ? capability['kind']
        : capability;
    return typeof kind === 'string' && /^(?:\*|mcp\.\*|mcp\.request\.)/.test(kind);
  });
}
