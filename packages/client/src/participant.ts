import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Exchange, Lost } from './connection/exchange.js';
import type { Message, OutgoingMessage, Receipt } from './connection/message.js';
import type { Member, Welcome } from './connection/welcome.js';
import type { ConnectionClosedError } from './connection-errors.js';
import { Feed, type FeedOptions } from './feed/feed.js';
import { createFaults, type Faults } from './listeners.js';
import {
  type ApprovalOutcome,
  type ApprovalResult,
  type ApproveOptions,
  approve,
  approveAll,
  createPausing,
  type Pausing,
  shownIn,
} from './operations/approvals.js';
import { type CallOptions, OwnRequests } from './operations/calls.js';
import { type Counters, createCounters } from './operations/counters.js';
import { createGrants, type Grants } from './operations/grants.js';
import type { ParamsOf, ResultOf } from './operations/mcp-methods.js';
import { type PendingProposal, PendingProposals } from './operations/pending-proposals.js';
import {
  type IncomingToolCall,
  type OnProposalOptions,
  type ProposalHandler,
  ProposalInbox,
} from './operations/proposal-inbox.js';
import { OwnProposals } from './operations/proposals.js';
import type { ProposalPromise, ProposeOptions } from './operations/propose.js';
import {
  createRemarks,
  type ProposalStatus,
  type RejectionReason,
  type Remarks,
  type StatusOptions,
} from './operations/remarks.js';
import { type DecisionSigner, signIfAsked } from './operations/signing.js';
import { Participants } from './participants.js';
import type { OtherRequests, Tool } from './serving/serve.js';
import { Service } from './serving/service.js';

/** How a participant behaves, and what it needs besides its connection. */
interface ParticipantOptions {
  readonly silence: number;
  readonly quickReject: boolean;
  readonly space: string;
  readonly signer?: DecisionSigner;
  readonly openFeed: (options: FeedOptions) => Feed;
  readonly history: (proposal: string) => Promise<readonly Message[]>;
}

/** The events of `Participant.on`. */
export type ParticipantEvents = {
  /** Everything delivered, each message once, including those outside the journal. */
  readonly message: Message;
  /** The connection is open, for the first time or again. */
  readonly welcome: Welcome;
  /** The connection was lost and is being re-established. */
  readonly disconnected: Lost;
  /**
   * One of your handlers or listeners threw, or the connection ended for good and nobody awaits
   * `closed`. Without a listener for this event, the error is rethrown, unless it only reports how an
   * operation ended, for example that someone else was first. A refusal, or the end of the connection,
   * without a listener is written to the console; after the latter the program exits with 1, unless it
   * sets another exit code.
   */
  readonly error: unknown;
};

/** To whom the part in reviews is delegated, and for how long (O-34). */
export interface DelegateOptions {
  /** Until when: a date, RFC 3339, or milliseconds since 1970. */
  readonly until: Date | string | number;
  /** For one proposal only. Default: for all. */
  readonly proposal?: string;
}

/** The addressees and the format. */
export interface ChatOptions {
  /** Default: everyone. */
  readonly to?: string | readonly string[];
  readonly format?: 'plain' | 'markdown';
}

/** A participant in a space: proposes, decides, runs tools, over a connection that is re-established automatically. */
export class Participant {
  readonly counter: Counters['counter'];
  readonly accept: Counters['accept'];
  readonly grant: Grants['grant'];
  readonly revoke: Grants['revoke'];
  /** All approvals of the space, for an operator who must stop them. */
  readonly approvals: Pausing;
  readonly #exchange: Exchange;
  readonly #options: ParticipantOptions;
  readonly #remarks: Remarks;
  readonly #calls: OwnRequests;
  readonly #proposals: OwnProposals;
  readonly #inbox: ProposalInbox;
  readonly #service: Service;
  readonly #pending = new PendingProposals();
  readonly #participants = new Participants();
  readonly #faults: Faults;
  readonly #feeds = new Set<Feed>();

  constructor(exchange: Exchange, options: ParticipantOptions) {
    this.#exchange = exchange;
    this.#options = options;
    ({ counter: this.counter, accept: this.accept } = createCounters(exchange));
    ({ grant: this.grant, revoke: this.revoke } = createGrants(exchange));
    this.approvals = createPausing(exchange);
    this.#faults = createFaults(exchange);
    const { onFault } = this.#faults;
    // Before all the others, which depend on them.
    for (const view of [this.#pending, this.#participants]) {
      view.begin(exchange.welcome);
      exchange.welcomes.add((welcome) => view.begin(welcome));
      exchange.messages.add((message) => view.take(message));
    }
    this.#remarks = createRemarks(exchange, options.silence);
    this.#calls = new OwnRequests(exchange, (subject) => this.#participants.servedBy(subject));
    this.#proposals = new OwnProposals(exchange, {
      remarks: this.#remarks,
      history: options.history,
      onFault,
    });
    this.#inbox = new ProposalInbox(exchange, {
      calls: this.#calls,
      remarks: this.#remarks,
      pending: this.#pending,
      quickReject: options.quickReject,
      onFault,
    });
    this.#service = new Service(exchange, exchange.welcome.seq, onFault);
  }

  /**
   * Settles when the connection has ended for good: with the reason `closed` if we closed it. Never rejects. An
   * unexpected end that nobody awaits here is an `error` event, or is written to the console and makes the program
   * exit with 1.
   */
  get closed(): Promise<ConnectionClosedError> {
    return this.#faults.closed;
  }

  /** The name of the token's owner. */
  get name(): string {
    return this.#exchange.welcome.you.id;
  }

  /** What the gateway said when it last accepted us (O-27). */
  get welcome(): Welcome {
    return this.#exchange.welcome;
  }

  /** The other participants currently present. */
  get participants(): readonly Member[] {
    return this.#participants.list();
  }

  /** The pending proposals, oldest first; perhaps not all if more than a hundred are pending. */
  get pending(): readonly PendingProposal[] {
    return this.#pending.shown(this.#participants);
  }

  /** Everything up to this `seq` was received. To resume after a restart, connect with it as `after`. */
  get seq(): number {
    return this.#exchange.seq;
  }

  get isConnected(): boolean {
    return this.#exchange.isUp;
  }

  /**
   * Proposes an operation; settles with its JSON-RPC result, as soon as there is one. A tool result with `isError` is
   * a result, as it is for MCP clients. Fails with a ProposalRejectedError if someone who could have approved it
   * rejects it, or everyone addressed does (it is withdrawn first, so that it cannot run afterwards; see
   * `onRejection`), a ProposalExpiredError, ProposalWithdrawnError, OutcomeUnknownError, OperationFailedError or
   * RefusedError. The returned object also shows the proposal itself.
   */
  propose<const Method extends string>(
    method: Method,
    params?: ParamsOf<Method>,
    options: ProposeOptions = {},
  ): ProposalPromise<ResultOf<Method>> {
    return this.#proposals.propose(method, params, options) as ProposalPromise<ResultOf<Method>>;
  }

  /**
   * Passes proposals of others to a handler: pending and future ones, each once, to the first handler whose filter
   * matches. From the first handler on, a proposal that names us and matches none is rejected at once as `incapable`.
   * Returns a function that removes the handler.
   */
  onProposal(
    handler: ProposalHandler<IncomingToolCall>,
    options: OnProposalOptions & { readonly tool: string },
  ): () => void;
  onProposal(handler: ProposalHandler, options?: OnProposalOptions): () => void;
  onProposal(handler: ProposalHandler<never>, options: OnProposalOptions = {}): () => void {
    return this.#inbox.add(handler as ProposalHandler, options);
  }

  /**
   * Approves a proposal by the digest of what was shown (O-29). Settles when the approval is durable, with whether it
   * was enough; the result of the call goes to the last approver and to the proposer.
   */
  approve(
    proposal: Pick<PendingProposal, 'id' | 'method' | 'params'>,
    options: ApproveOptions = {},
  ): Promise<ApprovalResult> {
    const { signer, space } = this.#options;
    return signIfAsked(signer, shownIn(space, proposal, options), (signature) =>
      approve(this.#exchange, proposal, { ...options, ...defined({ signature }) }),
    );
  }

  /**
   * Approves several as they were shown: taken from {@link pending}; those that changed since are skipped and
   * reported (O-35).
   */
  approveAll(proposals: readonly PendingProposal[]): Promise<readonly ApprovalOutcome[]> {
    return approveAll(this.#exchange, proposals, this.#options);
  }

  /**
   * Takes our approval back, until enough people have approved (O-29). It rejects nothing. Settles with `late` if the
   * proposal is no longer pending.
   */
  takeBack(proposal: string): Promise<Receipt> {
    return this.#remarks.takeBack(proposal);
  }

  /** Delegates our part in reviews for a while, in all of them or in one proposal (O-34). */
  delegate(to: string, { until, proposal }: DelegateOptions): Promise<Receipt> {
    const payload = { to, until: until instanceof Date ? until.toISOString() : until };
    return this.send({ kind: 'mcpx.delegate.review', ...defined({ correlationId: proposal }), payload });
  }

  /** Takes our part in reviews back, in all of them or in one proposal. */
  undelegate(proposal?: string): Promise<Receipt> {
    const payload = { revoke: true };
    return this.send({ kind: 'mcpx.delegate.review', ...defined({ correlationId: proposal }), payload });
  }

  /** Fulfils a proposal by its id: makes the request for it. Like `fulfil` of an incoming proposal. */
  fulfil(
    proposal: Pick<PendingProposal, 'id' | 'method' | 'params'>,
    amendedParams: JsonObject | undefined = proposal.params,
    options: CallOptions = {},
  ): Promise<JsonValue> {
    const { id, method } = proposal;
    const [executor, ...others] = typeof options.to === 'string' ? [options.to] : (options.to ?? []);
    const named = others.length === 0 ? executor : undefined;
    const { signer, space } = this.#options;
    const approved = { ...options, ...defined({ params: amendedParams, executor: named }) };
    return signIfAsked(signer, shownIn(space, proposal, approved), (signature) =>
      this.#calls.request(method, amendedParams, { ...options, proposal: id, ...defined({ signature }) }),
    );
  }

  /**
   * Runs tools for others: announces them, now and whenever the gateway does not know them, and answers
   * `tools/call` and `tools/list` addressed to us, each request once. Settles when they are announced,
   * with a function that stops serving.
   *
   * @param instead - tools served before that end with this, in the same announcement; default none
   */
  async serve(tools: readonly Tool[], instead: readonly Tool[] = []): Promise<{ stop(): Promise<void> }> {
    this.#inbox.answerForUs();
    await this.#service.serve(tools, instead);
    return { stop: () => this.#service.withdraw(tools) };
  }

  /**
   * Reserves our name for serving before there are any tools: no other connection may serve under it, and requests to
   * us wait for the first {@link serve}. Refused with `already_serving` if another connection has it.
   */
  async claim(): Promise<void> {
    this.#inbox.answerForUs();
    await this.#service.claim();
  }

  /**
   * Answers requests addressed to us that are not about tools, each once, and announces our resources and prompts;
   * replaces an earlier handler. Settles when they are announced.
   */
  async answer(others: OtherRequests): Promise<void> {
    this.#inbox.answerForUs();
    await this.#service.answer(others);
  }

  /** Makes a request, with the capability for it; settles with the response of the asked participant. */
  request<const Method extends string>(
    method: Method,
    params?: ParamsOf<Method>,
    options: CallOptions = {},
  ): Promise<ResultOf<Method>> {
    return this.#calls.request(method, params, options) as Promise<ResultOf<Method>>;
  }

  /** Withdraws proposals of our own (O-15). Settles with `late` if there was nothing left to withdraw. */
  withdraw(proposals: string | readonly string[], reason?: string): Promise<Receipt> {
    return this.#remarks.withdraw(proposals, reason);
  }

  /** Rejects a proposal (O-17). Settles with `late` if it is no longer pending. */
  reject(proposals: string | readonly string[], reason: RejectionReason, message?: string): Promise<Receipt> {
    return this.#remarks.reject(proposals, reason, message);
  }

  /** Extends the time of our own proposal, in milliseconds from now (O-36). Settles with `late` if it has ended. */
  renew(proposal: string, ttl: number): Promise<Receipt> {
    return this.#remarks.renew(proposal, ttl);
  }

  /** Reports a proposal's status; while it runs, its progress (O-42). Settles with `late` if it has ended. */
  status(
    proposals: string | readonly string[],
    status: ProposalStatus,
    options: string | StatusOptions = {},
  ): Promise<Receipt> {
    const given = typeof options === 'string' ? { message: options } : options;
    return this.#remarks.status(proposals, status, given);
  }

  /** Sends a chat message to everyone, or to some. */
  chat(text: string, { to, format }: ChatOptions = {}): Promise<Receipt> {
    return this.send({
      kind: 'chat.message',
      payload: { text, ...defined({ format }) },
      ...(to === undefined ? {} : { to: typeof to === 'string' ? [to] : to }),
    });
  }

  /** Sends a message of any kind; settles when the gateway has accepted it. */
  send(draft: OutgoingMessage): Promise<Receipt> {
    return this.#exchange.send(draft);
  }

  /** Everything accepted in the space, each message once and in order. See {@link Feed}. */
  feed(options: FeedOptions = {}): Feed {
    const feed = this.#options.openFeed({ after: this.seq, ...options });
    for (const other of this.#feeds) if (other.isOver) this.#feeds.delete(other);
    this.#feeds.add(feed);
    return feed;
  }

  /** Listens to an event; returns an unsubscribe function. */
  on<Name extends keyof ParticipantEvents>(
    name: Name,
    listener: (event: ParticipantEvents[Name]) => void,
  ): () => void;
  on(name: keyof ParticipantEvents, listener: (event: never) => void): () => void {
    const { messages: message, welcomes: welcome, losses: disconnected } = this.#exchange;
    const sources = { message, welcome, disconnected, error: this.#faults.errors };
    return sources[name].add(listener as (event: unknown) => void);
  }

  /** Ends the connection and all feeds. Pending calls fail with a ConnectionClosedError. */
  async close(): Promise<void> {
    await Promise.all([this.#exchange.close(), ...[...this.#feeds].map((feed) => feed.close())]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
