import type { BatchOutcome } from '@proffer/client/http';
import { defined, isJsonArray, type JsonObject } from '@proffer/core/json';
import { CommandFailure, type Failure } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { wholeId } from '../display/short-ids.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findEach } from '../proposals/find-each.js';
import { tooLate } from '../proposals/too-late.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** One message about several proposals. */
export interface SeveralRemark {
  readonly connection: GatewayConnection;
  /** The message about these. */
  readonly message: (ids: readonly string[]) => JsonObject;
  /** What its effect is called, such as `withdrawn`. */
  readonly done: string;
  readonly exact?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** The outcome for one of them. */
interface Item {
  readonly proposal: string;
  readonly seq?: number | undefined;
  readonly failure?: Failure;
}

/**
 * Says something about several proposals with one message, and prints an outcome for each (O-35). One that is unknown,
 * over or not theirs does not stop the others. The exit code is that of the first that did not succeed.
 */
export async function remarkSeveral(
  texts: readonly string[],
  remark: SeveralRemark,
  shell: Shell,
): Promise<ExitCode> {
  const { connection, exact, json, done } = remark;
  const typed = await findEach(texts, connection, exact);
  const ids = typed.flatMap(({ id, failure }) => (failure === undefined ? [id] : []));
  const outcomes = new Map((await sendAbout(ids, remark)).map((one) => [one.proposal, one]));
  const items: Item[] = [];
  for (const { id, failure } of typed)
    items.push(
      failure === undefined ? await itemOf(id, outcomes.get(id), connection) : { proposal: id, failure },
    );
  const exits = items.map((item) => item.failure?.exit ?? EXIT.done);
  if (json === true) printJson({ outcomes: items.map(itemJson) }, shell);
  else for (const item of items) printItem(item, done, shell);
  return exits.find((exit) => exit !== EXIT.done) ?? EXIT.done;
}

/** The gateway's outcomes: also those of a message that was refused because every part of it was. */
async function sendAbout(
  ids: readonly string[],
  { connection, message }: SeveralRemark,
): Promise<readonly BatchOutcome[]> {
  const [only] = ids;
  if (only === undefined) return [];
  try {
    const { outcomes, status, seq } = await connection.send(message(ids));
    const about = { id: '', proposal: only };
    // About one proposal, the message has only its own outcome.
    return outcomes ?? [status === 'late' ? { ...about, status } : { ...about, status, ...defined({ seq }) }];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { code, message: why, details = {} } = error.failure;
    const { outcomes } = details;
    if (isJsonArray(outcomes)) return outcomes as unknown as readonly BatchOutcome[];
    if (ids.length > 1) throw error;
    return [{ id: '', proposal: only, status: 'refused', error: { code, message: why, details } }];
  }
}

async function itemOf(
  proposal: string,
  outcome: BatchOutcome | undefined,
  connection: GatewayConnection,
): Promise<Item> {
  if (outcome?.status === 'late') return { proposal, failure: (await tooLate(proposal, connection)).failure };
  if (outcome?.status === 'refused') return { proposal, failure: { exit: EXIT.refused, ...outcome.error } };
  return { proposal, seq: outcome?.seq };
}

function itemJson({ proposal, seq, failure }: Item): JsonObject {
  if (failure === undefined) return { proposal, ...defined({ seq }), exit: EXIT.done };
  const { code, message, details = {}, exit } = failure;
  return { proposal, error: { code, message, details }, exit };
}

function printItem({ proposal, failure }: Item, done: string, { print, style }: Shell): void {
  const name = style.bold(visible(wholeId(proposal)));
  if (failure === undefined) print(`${name}  ${style.green(done)}`);
  else print(`${name}  ${style.red('✗')} ${visible(failure.message)}`);
}
