import { randomBytes } from 'node:crypto';
import type { Clock } from '@proffer/client/own-calls';
import {
  ConnectionClosedError,
  OperationFailedError,
  OutboxFullError,
  type Participant,
  ProposalExpiredError,
  ProposalRejectedError,
  ProposalWithdrawnError,
  RefusedError,
  type Tool,
} from '@proffer/client/participation';
import { isJsonObject, type JsonObject, textOf } from '@proffer/core/json';
import { INVALID_PARAMS, objectAt, textAt } from '../../json-rpc.js';
import { createPace, type Pace } from '../../pace.js';
import { qualifiedName } from '../call-identity.js';
import type { ProposalArchive } from '../recovery/index.js';
import { limitOnProposal } from '../tool-call.js';
import { TRUST_TOOL } from '../wait-tool.js';
import type { PinBook } from './pin-book.js';
import type { ShownTools } from './shown-tools.js';
import { ALL_TOOLS, pinDigest, pinOf, type TrustQuestion } from './tool-pins.js';
import type { ToolViews } from './tool-views.js';

export interface TrustQuestionsOptions {
  readonly participant: Participant;
  readonly server: string;
  readonly pins: PinBook;
  readonly shown: ShownTools;
  readonly views: ToolViews;
  /** Called after a definition was accepted. */
  readonly onAccepted: (tool: string) => void;
  /** While this holds, nobody is asked. */
  readonly isWatching: () => boolean;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** The maximum number of open questions: the rest of the pending limit is for calls. */
const MAX_OPEN = 100;

/** How long a rejection holds while the tool stays unchanged, in milliseconds. */
const NO_HOLDS = 24 * 3_600_000;

const HINTS_COUNT =
  'From now on, what this server says about its tools counts. Calls that are already waiting still need a decision.';
const HINTS_ASKED =
  'What the server says about its tools (that they only read, for example) does not count until someone trusts it.';
const WHY_HINTS =
  'This server describes its tools: which of them only read, which destroy nothing. Approve if you trust what it says. Calls that your rules allow for that reason then run without asking you; those that are already waiting still need a decision. You are asked once for each server.';

/** Proposals withdrawn per message. */
const WITHDRAWN_AT_ONCE = 100;

/**
 * Asks whether a changed tool may be trusted: one question per tool, a new one for each change, and none
 * twice across a restart. Questions about versions that nobody has any more are withdrawn.
 */
export class TrustQuestions {
  readonly #options: TrustQuestionsOptions;
  readonly #name: string;
  readonly #pace: QuestionPace;
  /** Open questions, by tool. */
  readonly #open = new Map<string, TrustQuestion>();
  /** Tools to ask about as soon as rate and room permit. */
  readonly #wanted = new Set<string>();
  #timer: (() => void) | undefined;
  #isOver = false;

  constructor(options: TrustQuestionsOptions) {
    this.#options = options;
    const { participant, server, clock } = options;
    this.#name = qualifiedName(participant.name, server, TRUST_TOOL);
    this.#pace = new QuestionPace(clock);
  }

  /** Resumes the questions of an earlier run, and withdraws obsolete ones. */
  async adopt(archive: ProposalArchive): Promise<void> {
    const { participant } = this.#options;
    const outdated: string[] = [];
    for await (const proposal of archive.open({ proposer: participant.name })) {
      if (proposal['phase'] !== 'pending') continue;
      const params = objectAt(proposal, 'params');
      if (proposal['proposer'] !== participant.name || params['name'] !== this.#name) continue;
      const asked = objectAt(params, 'arguments');
      const tool = textAt(asked, 'tool');
      const question = this.#questionOf(tool);
      const isOpen = question !== undefined && question.closedAt === undefined;
      if (isOpen && question.id === proposal['id']) this.#propose(tool, question, asked);
      else outdated.push(textAt(proposal, 'id'));
    }
    while (outdated.length > 0) {
      const some = outdated.splice(0, WITHDRAWN_AT_ONCE);
      await participant.withdraw(some, 'this question is no longer open').catch(() => {});
    }
  }

  /** Stops asking. Open questions wait for their answer, and for the next run. */
  close(): void {
    this.#isOver = true;
    this.#timer?.();
  }

  /** The tool that accepts a change. */
  tool(): Tool {
    return {
      name: this.#name,
      description:
        'Accepts that a tool of this server has changed since it was first seen or, for *, what the server says about its tools.',
      handler: ({ tool, is }, { proposal }) => {
        const name = textOf(tool);
        const question = this.#open.get(name);
        // A request for it that merely mentions a proposal does not approve this change.
        const isAnswer = question !== undefined && question.id === proposal;
        if (!isAnswer || !isJsonObject(is) || pinDigest(is) !== question.is) {
          throw new OperationFailedError(
            INVALID_PARAMS,
            'Nothing was accepted: the definition of the tool is different, or has changed again.',
          );
        }
        this.#accept(name, question, is);
        return name === ALL_TOOLS ? HINTS_COUNT : `The changed definition of ${name} is accepted.`;
      },
    };
  }

  /** Asks the questions about tools that are due now, and withdraws obsolete ones. */
  review(tools: Iterable<string>): void {
    for (const tool of tools) this.#reviewOne(tool);
    this.#askWanted();
  }

  #reviewOne(tool: string): void {
    const { pins, views, clock } = this.#options;
    const question = this.#questionOf(tool);
    if (question !== undefined) {
      const { is, closedAt } = question;
      const isHeld = closedAt === undefined || clock.now() - closedAt < NO_HOLDS;
      if (views.hasChange(tool, is) && isHeld) {
        if (closedAt === undefined && !this.#open.has(tool)) this.#wanted.add(tool);
        return;
      }
      this.#drop(tool, question);
    }
    if (pins.get(tool) !== undefined && views.has(tool)) this.#wanted.add(tool);
    else this.#wanted.delete(tool);
  }

  /** Only this guard's: another of the same name may have asked independently. */
  #questionOf(tool: string): TrustQuestion | undefined {
    const question = this.#options.pins.get(tool)?.question;
    return question?.by === this.#options.participant.name ? question : undefined;
  }

  #drop(tool: string, { id, closedAt }: TrustQuestion): void {
    const { participant, pins } = this.#options;
    this.#open.delete(tool);
    pins.ask(tool, undefined);
    if (closedAt === undefined) participant.withdraw(id, 'the tool has changed again').catch(() => {});
  }

  #askWanted(): void {
    const { clock, isWatching, log } = this.#options;
    this.#timer?.();
    this.#timer = undefined;
    if (this.#isOver || isWatching()) return;
    for (const tool of this.#wanted) {
      if (this.#open.size >= MAX_OPEN || this.#pace.wait() > 0) break;
      if (this.#pace.waitFor(tool) > 0) continue;
      this.#wanted.delete(tool);
      try {
        this.#ask(tool);
      } catch (error) {
        log(`Nobody could be asked about ${tool}: ${String(error)}`);
      }
    }
    if (this.#wanted.size === 0 || this.#open.size >= MAX_OPEN) return;
    const waits = [...this.#wanted].map((tool) => this.#pace.waitFor(tool));
    const wait = Math.max(
      this.#pace.wait(),
      waits.reduce((least, one) => Math.min(least, one)),
    );
    this.#timer = clock.after(Math.max(wait, 1), () => this.#askWanted());
  }

  #ask(tool: string): void {
    const { participant, pins, shown, views, log } = this.#options;
    const was = pins.get(tool)?.definition;
    const { definition: is, digest, isWhole } = shown.get(tool) ?? {};
    // A change that was not shown last is asked about when it is shown again.
    if (was === undefined || is === undefined || digest === undefined || !views.hasChange(tool, digest))
      return;
    // Of a server that nobody has trusted before, there is nothing to compare with.
    const isFirst = tool === ALL_TOOLS && was['title'] === undefined;
    const asked = isFirst ? { tool, is } : { tool, was, is };
    const limit =
      isWhole === true ? limitOnProposal(this.#name, asked) : "The tool's definition is too long.";
    const gated = `The tool ${tool} has changed. Its calls need approval`;
    this.#pace.take(tool);
    if (limit !== undefined) return log(`${gated}, and the change cannot be accepted. ${limit}`);
    log(tool === ALL_TOOLS ? HINTS_ASKED : `${gated} until someone accepts the change.`);
    const before = this.#questionOf(tool);
    const id = before?.is === digest ? before.id : `trust-${randomBytes(16).toString('hex')}`;
    const question = { id, by: participant.name, is: digest };
    if (before?.id !== id) pins.ask(tool, question);
    this.#propose(tool, question, asked);
  }

  #propose(tool: string, question: TrustQuestion, asked: JsonObject): void {
    const { participant, log } = this.#options;
    const { id } = question;
    const proposal = participant.propose(
      'tools/call',
      { name: this.#name, arguments: asked },
      // A server's description of its tools is for people to judge, whatever may run without approval.
      {
        id,
        executor: participant.name,
        grants: false,
        ...(tool === ALL_TOOLS ? { reason: WHY_HINTS } : {}),
      },
    );
    this.#open.set(tool, question);
    const { is } = asked;
    proposal
      .then(
        () => isJsonObject(is) && this.#accept(tool, question, is),
        (error: unknown) => this.#end(tool, question, error),
      )
      .catch((error: unknown) => log(`The answer about ${tool} could not be stored: ${String(error)}`));
  }

  #accept(tool: string, question: TrustQuestion, is: JsonObject): void {
    const { pins, views } = this.#options;
    if (this.#open.get(tool) !== question) return;
    pins.replace(tool, pinOf(is));
    this.#open.delete(tool);
    views.accept(tool, question.is);
    this.#pace.forget(tool);
    this.#options.onAccepted(tool);
    this.review([tool]);
  }

  #end(tool: string, question: TrustQuestion, error: unknown): void {
    const { pins, clock, log } = this.#options;
    if (this.#open.get(tool) !== question) return;
    this.#open.delete(tool);
    const end = endOfQuestion(error);
    if (end === 'unheard') return;
    const what = tool === ALL_TOOLS ? 'What the server says about its tools' : `The change to ${tool}`;
    log(`${what} was not accepted: ${error instanceof Error ? error.message : String(error)}`);
    if (end === 'no') pins.ask(tool, { ...question, closedAt: clock.now() });
    if (end === 'void') pins.ask(tool, undefined);
    this.review([tool]);
  }
}

/**
 * What it means that a question was not answered with yes: `no`, it is not asked again for a while; `unheard`, we are
 * leaving, and it stays open without us; `unasked`, the gateway did not accept it, so it is asked again; `void`, the
 * answer had no effect, so a new question is asked.
 */
type QuestionEnd = 'no' | 'unheard' | 'unasked' | 'void';

function endOfQuestion(error: unknown): QuestionEnd {
  if (error instanceof ConnectionClosedError) return 'unheard';
  // An earlier release asked the same question in other words, with the same id.
  if (error instanceof RefusedError && error.code === 'id_conflict') return 'void';
  if (error instanceof RefusedError || error instanceof OutboxFullError) return 'unasked';
  const isNo =
    error instanceof ProposalRejectedError ||
    error instanceof ProposalExpiredError ||
    error instanceof ProposalWithdrawnError;
  return isNo ? 'no' : 'void';
}

/** Questions about all tools together: a burst, then one per interval in milliseconds. */
const BURST = 100;
const EVERY = 10_000;

/**
 * Questions about one tool without a yes: a burst, then after this time, then after twice as long, up to the maximum.
 */
const BURST_OF_ONE = 3;
const SHORTEST = 10_000;
const LONGEST = 3_600_000;

/** Limits how often people are asked about a server's tools, whatever it shows. */
class QuestionPace {
  readonly #clock: Clock;
  readonly #all: Pace;
  readonly #tools = new Map<string, { readonly count: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#all = createPace({ clock, burst: BURST, every: EVERY });
  }

  /** Milliseconds until there may be another question at all. */
  wait(): number {
    return this.#all.wait();
  }

  /** Milliseconds until there may be another question about this tool. */
  waitFor(tool: string): number {
    const { count, at } = this.#tools.get(tool) ?? { count: 0, at: 0 };
    if (count < BURST_OF_ONE) return 0;
    const gap = Math.min(LONGEST, SHORTEST * 2 ** (count - BURST_OF_ONE));
    return Math.max(0, at + gap - this.#clock.now());
  }

  /** A question is asked now. */
  take(tool: string): void {
    const { count } = this.#tools.get(tool) ?? { count: 0 };
    this.#all.take();
    this.#tools.set(tool, { count: count + 1, at: this.#clock.now() });
  }

  /** The last question was answered with yes. */
  forget(tool: string): void {
    this.#tools.delete(tool);
  }
}
