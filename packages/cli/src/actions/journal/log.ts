import { count } from '@proffer/core/words';
import { usageFailure } from '../../command-failure.js';
import type { EndpointOptions } from '../../command-options.js';
import { connect } from '../../connection/connect.js';
import type { GatewayConnection } from '../../connection/connection.js';
import { follow } from '../../connection/follow.js';
import { logLine } from '../../display/log/log-line.js';
import type { LoggedMessage } from '../../proposals/proposal-view.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `log`. */
export interface LogOptions extends EndpointOptions {
  readonly follow?: boolean;
  readonly after: number;
  readonly from?: string;
  readonly kind?: string;
  readonly json?: boolean;
  readonly data?: string;
}

/** Prints the messages of a space, in order. */
export async function log(options: LogOptions, shell: Shell): Promise<void> {
  const wanted = filterFor(options);
  let seen = 0;
  let shown = 0;
  const print = (message: LoggedMessage): void => {
    seen++;
    if (!wanted(message)) return;
    shown++;
    if (options.json === true) printJson(message, shell);
    else shell.print(logLine(message, shell));
  };
  if (options.data !== undefined) await readOffline(options, shell, print);
  else {
    const connection = connect(options, shell, 'reviewer');
    if (options.follow === true) await followLog(connection, options, shell, print);
    else await readLog(connection, options.after, print);
  }
  // On stderr, so that programs reading the output are not affected.
  if (options.follow !== true && shown === 0) shell.tell(nothingShown(options, seen));
}

function nothingShown({ after, from, kind }: LogOptions, seen: number): string {
  const where = after === 0 ? '' : ` after seq ${after}`;
  if (seen === 0) return after === 0 ? 'No messages yet.' : `There are no messages${where}.`;
  const filters = [
    ...(from === undefined ? [] : [`--from ${visible(from)}`]),
    ...(kind === undefined ? [] : [`--kind ${visible(kind)}`]),
  ].join(' ');
  return `None of ${count(seen, 'message')}${where} matches ${filters}.`;
}

/** Loaded only here: commands that ask a gateway need no journal. */
async function readOffline(
  { data = '', space = 'main', after, follow: follows }: LogOptions,
  shell: Shell,
  print: (message: LoggedMessage) => void,
): Promise<void> {
  if (follows === true) throw usageFailure('--follow needs a gateway, so it cannot be used with --data.');
  const { journalPlace } = await import('../../journal/place.js');
  const { readMessages } = await import('../../journal/read-proposals.js');
  await readMessages({ folder: await journalPlace({ data }, shell), space }, after, print);
}

async function readLog(
  connection: GatewayConnection,
  after: number,
  print: (message: LoggedMessage) => void,
): Promise<void> {
  let cursor = after;
  for (;;) {
    const { messages, seq } = await connection.feed(cursor);
    for (const message of messages) print(message);
    if (messages.length === 0 || seq <= cursor) return;
    cursor = seq;
  }
}

async function followLog(
  connection: GatewayConnection,
  { after }: LogOptions,
  shell: Shell,
  print: (message: LoggedMessage) => void,
): Promise<void> {
  let lost = false;
  const messages = follow(connection, {
    after,
    signal: shell.interruption(),
    onLost: () => {
      if (!lost) shell.tell(shell.style.yellow('Connection to the gateway lost; reconnecting.'));
      lost = true;
    },
    onOpen: () => {
      if (lost) shell.tell(shell.style.green('Reconnected.'));
      lost = false;
    },
  });
  for await (const message of messages) print(message);
}

function filterFor({ from, kind }: LogOptions): (message: LoggedMessage) => boolean {
  const matches = kind === undefined ? undefined : matcher(kind);
  return (message) => (from === undefined || message.from === from) && (matches?.(message) ?? true);
}

/** A star matches any text, including none. */
function matcher(glob: string): (message: LoggedMessage) => boolean {
  const literal = glob.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${literal.join('.*')}$`, 's');
  return ({ kind }) => pattern.test(kind);
}
