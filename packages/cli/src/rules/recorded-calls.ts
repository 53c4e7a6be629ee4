import { correlationIds } from '@proffer/core/envelope';
import { isJsonObject, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import type { CallFacts } from '@proffer/steward';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import type { HistoryOptions } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { withOneUrl } from '../connection/endpoint.js';
import { numberedCalls } from '../display/ruled-calls.js';
import { journalPlace } from '../journal/place.js';
import { readMessages } from '../journal/read-proposals.js';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import { commandAbout, type Shell, shellWord } from '../terminal/shell.js';
import { historyPlace } from './history.js';

/** A recorded call that a guard decided by its rules. */
export interface RecordedCall {
  /** As in the log, such as `38.2`. */
  readonly number: string;
  readonly from: string;
  readonly call: JsonObject;
  /** The facts for the rules; arguments that were too long are incomplete. */
  readonly facts: CallFacts;
}

/**
 * The number of a decision: the `seq` of the message that reports it, and its position there, from 1, if it
 * reports several.
 */
export interface DecisionNumber {
  readonly seq: number;
  readonly place?: number;
}

/** Where to look, and the rules file to explain. */
export interface RecordedOptions extends HistoryOptions {
  readonly file: string;
}

/**
 * The calls that a guard decided by its rules, from the message with this `seq` in the log; only one of them, if a
 * position is given.
 *
 * @throws CommandFailure if there is no such message, or it reports no decision
 */
export async function recordedCalls(
  { seq, place }: DecisionNumber,
  given: RecordedOptions,
  shell: Shell,
): Promise<readonly RecordedCall[]> {
  const options = withOneUrl(given);
  const message = await messageAt(seq, options, shell);
  const calls = message === undefined ? [] : numberedCalls(message);
  const picked = calls.filter((_, index) => place === undefined || index === place - 1);
  if (message !== undefined && picked.length > 0) {
    return picked.map(({ number, call }) => ({
      number,
      from: message.from,
      call,
      facts: factsOf(message, call),
    }));
  }
  const asked = place === undefined ? String(seq) : `${seq}.${place}`;
  const where = historyPlace(options);
  const proposal = message === undefined ? undefined : proposalOf(message);
  const next = [
    ...(proposal === undefined
      ? []
      : [
          `${commandAbout(`${shell.name} rules explain`, [given.file], { options: ` --proposal ${shellWord(proposal)}${where}` })}   # shows what is recorded about this proposal`,
        ]),
    `${shell.name} log --kind chat.message${where}   # lists them`,
  ];
  const sentence = `There is no decision by a guard's rules at seq ${asked}.`;
  throw new CommandFailure({ exit: EXIT.refused, code: 'unknown_decision', message: sentence, next });
}

/** The proposal that a message makes or refers to. */
function proposalOf(message: LoggedMessage): string | undefined {
  const { kind, id } = message;
  if (kind.startsWith('mcp.proposal.')) return id;
  const isAbout = kind.startsWith('mcp.request.') || kind.endsWith('.proposal');
  return isAbout ? correlationIds(message)[0] : undefined;
}

async function messageAt(
  seq: number,
  options: HistoryOptions,
  shell: Shell,
): Promise<LoggedMessage | undefined> {
  if (options.data === undefined) {
    const { messages } = await connect(options, shell, 'reviewer').feed(seq - 1);
    return messages.find((message) => message.seq === seq);
  }
  if (options.url !== undefined)
    throw usageFailure('--data and --url both say where to read; use only one of them.');
  const folder = await journalPlace({ data: options.data }, shell);
  let found: LoggedMessage | undefined;
  await readMessages({ folder, space: options.space ?? 'main' }, seq - 1, (message) => {
    if (message.seq === seq) found = message;
  });
  return found;
}

function factsOf({ from, time = 0 }: LoggedMessage, call: JsonObject): CallFacts {
  const { tool, server, arguments: args, annotations, at } = call;
  const where = textOf(server);
  const name = textOf(tool);
  const prefix = from === where ? `${where}/` : `${from}/${where}/`;
  const decidedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    participant: from,
    tool: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    arguments: objectOf(args),
    ...(where === '' ? {} : { server: where }),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    time: Number.isNaN(decidedAt) ? time : decidedAt,
  };
}
