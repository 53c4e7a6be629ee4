import { isJsonObject, type JsonObject } from '@proffer/core';
import type { CallFacts } from '@proffer/steward';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { connect } from '../connect.js';
import type { Message } from '../connection/proposal-view.js';
import { ruledCalls } from '../display/ruled-calls.js';
import { EXIT } from '../exit-code.js';
import { journalFolder } from '../journal/folder.js';
import { readMessages } from '../journal/history.js';
import type { Shell } from '../terminal/shell.js';
import { endpointOf, type HistoryOptions } from './history.js';

/** A call that a guard decided about by its rules, as it is recorded. */
export interface RecordedCall {
  readonly from: string;
  readonly call: JsonObject;
  /** What rules go by; arguments that were too long are there only in part. */
  readonly facts: CallFacts;
}

/**
 * The calls that a guard decided about by its rules, from the message with this `seq` in the log.
 *
 * @throws CommandFailure if there is no such message, or it tells of no decision
 */
export async function recordedCalls(
  seq: number,
  given: HistoryOptions,
  shell: Shell,
): Promise<readonly RecordedCall[]> {
  const message = await messageAt(seq, endpointOf(given), shell);
  const calls = message === undefined ? [] : ruledCalls(message);
  if (message !== undefined && calls.length > 0) {
    return calls.map((call) => ({ from: message.from, call, facts: factsOf(message, call) }));
  }
  const sentence = `There is no decision of a guard's rules at seq ${seq}.`;
  const next = [`${shell.name} log --kind chat.message   # lists them`];
  throw new CommandFailure({ exit: EXIT.refused, code: 'unknown_decision', message: sentence, next });
}

async function messageAt(seq: number, options: HistoryOptions, shell: Shell): Promise<Message | undefined> {
  if (options.journal === undefined) {
    const { messages } = await connect(options, shell, 'reviewer').feed(seq - 1);
    return messages.find((message) => message.seq === seq);
  }
  if (options.url !== undefined)
    throw usageFailure('--journal and --gateway (or --url) both say where to read; keep one of them.');
  const folder = await journalFolder({ data: options.journal }, shell);
  let found: Message | undefined;
  await readMessages({ folder, space: options.space ?? 'main' }, seq - 1, (message) => {
    if (message.seq === seq) found = message;
  });
  return found;
}

function factsOf({ from, time = 0 }: Message, call: JsonObject): CallFacts {
  const { tool, server, arguments: args, annotations, at } = call;
  const where = typeof server === 'string' ? server : '';
  const name = typeof tool === 'string' ? tool : '';
  const prefix = from === where ? `${where}/` : `${from}/${where}/`;
  const decidedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    participant: from,
    tool: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    arguments: isJsonObject(args) ? args : {},
    ...(where === '' ? {} : { server: where }),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    time: Number.isNaN(decidedAt) ? time : decidedAt,
  };
}
