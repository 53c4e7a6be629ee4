import { isGone, type NoAnswerError } from '@proffer/client/http';
import { CommandFailure, EXIT } from '../command-failure.js';
import { DEFAULT_URL } from '../command-options.js';
import { commandAbout, shellWord } from '../terminal/shell.js';
import { type Endpoint, sameOptions } from './endpoint.js';
import { tlsTrouble } from './tls-trouble.js';

/** A request without a usable answer. */
export interface Unanswered {
  readonly endpoint: Endpoint;
  /** The program's name as the user calls it. */
  readonly name: string;
  /** The proposal of a message that may have left this machine; absent if none has. */
  readonly sent?: string | undefined;
}

/** Explains a request that got no answer. */
export function noAnswer(asked: Unanswered, error: NoAnswerError): CommandFailure {
  const { kind, cause, status = 0 } = error;
  const about = error.mayHaveArrived ? asked : { ...asked, sent: undefined };
  switch (kind) {
    case 'unreachable':
      return unreachable(about, cause);
    case 'silent':
    case 'stalled':
      return silent(about, error);
    case 'timed_out':
      return outOfTime(about, cause);
    case 'interrupted':
      return interrupted(about, cause);
    case 'not_a_gateway':
      return isGone(error) ? noGatewayBehind(about, status) : notAGateway(about, status);
  }
}

/** No gateway was reached, or it went away. */
function unreachable(asked: Unanswered, cause: unknown): CommandFailure {
  const { endpoint, name, sent } = asked;
  const { url } = endpoint;
  const trouble = tlsTrouble(cause, url, endpoint.ca !== undefined);
  if (trouble !== undefined && sent === undefined)
    return new CommandFailure({ exit: EXIT.unreachable, code: 'tls_failed', ...trouble }, cause);
  const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  if (sent === undefined) {
    const message = `No gateway answers at ${url}${why}.`;
    const next = [...maybeTls(url, cause), ...nextUnreachable(endpoint, name)];
    return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message, next }, cause);
  }
  const message = `The connection to ${url} was lost before the gateway answered${why}.${fate(asked)}`;
  return new CommandFailure(
    { exit: EXIT.unreachable, code: 'unreachable', message, next: nextToLook(asked) },
    cause,
  );
}

/** A TLS server hangs up on clients that do not speak TLS. */
function maybeTls(url: string, cause: unknown): readonly string[] {
  const hungUp = cause instanceof Error && /socket hang up|ECONNRESET/.test(cause.message);
  return url.startsWith('http:') && hungUp
    ? [`--url ${shellWord(url.replace(/^http:/, 'https:'))}   # if it speaks TLS`]
    : [];
}

/** No error, and no complete answer either. */
function silent(asked: Unanswered, { kind, message, cause }: NoAnswerError): CommandFailure {
  const { endpoint, name } = asked;
  const what =
    kind === 'stalled'
      ? `The response from ${endpoint.url} stopped`
      : `No gateway answers at ${endpoint.url}`;
  const next = [...nextToLook(asked), `${name} doctor${sameOptions(endpoint)}   # find out what is wrong`];
  return new CommandFailure(
    { exit: EXIT.unreachable, code: 'unreachable', message: `${what}: ${message}.${fate(asked)}`, next },
    cause,
  );
}

/** The total timeout is over. */
function outOfTime(asked: Unanswered, cause: unknown): CommandFailure {
  const said = asked.sent === undefined ? ' Nothing was sent.' : fate(asked);
  const message = `Timed out before ${asked.endpoint.url} answered.${said}`;
  return new CommandFailure(
    { exit: EXIT.timedOut, code: 'timed_out', message, next: nextToLook(asked) },
    cause,
  );
}

/** The user interrupted the wait. */
function interrupted(asked: Unanswered, cause: unknown): CommandFailure {
  const message = `Interrupted before ${asked.endpoint.url} answered.${fate(asked)}`;
  return new CommandFailure(
    { exit: EXIT.interrupted, code: 'interrupted', message, next: nextToLook(asked) },
    cause,
  );
}

/** What to do if no gateway behind a proxy is ready. */
export const NEXT_BEHIND_PROXY =
  'Try again in a moment. If it persists, check that the gateways behind it are running, or tell the operator.';

export function onlyProxy(url: string, status: number): string {
  return `A proxy answers at ${url}, but no gateway behind it is ready (HTTP status ${status}).`;
}

/** A proxy answered, because all of its gateways are down. */
function noGatewayBehind(asked: Unanswered, status: number): CommandFailure {
  const message = `${onlyProxy(asked.endpoint.url, status)}${fate(asked)}`;
  const next = [...nextToLook(asked), NEXT_BEHIND_PROXY];
  return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message, next });
}

/** Something else answered. */
function notAGateway(asked: Unanswered, status: number): CommandFailure {
  const message = `The server at ${asked.endpoint.url} is not a Proffer gateway (HTTP status ${status}).${fate(asked)}`;
  const next = [...nextToLook(asked), 'Check --url.'];
  return new CommandFailure({ exit: EXIT.unreachable, code: 'not_a_gateway', message, next });
}

function fate({ sent }: Pick<Unanswered, 'sent'>): string {
  return sent === undefined ? '' : ' The message may still have arrived: check before you send it again.';
}

function nextToLook({ endpoint, name, sent }: Unanswered): readonly string[] {
  if (sent === undefined) return [];
  return [
    `${commandAbout(`${name} show`, [sent], { options: sameOptions(endpoint) })}   # whether it arrived`,
  ];
}

/** Advice when no gateway answers. A new one started here would not be the one that was named. */
export function nextUnreachable({ url, given, space, data }: Endpoint, name: string): readonly string[] {
  if (data !== undefined) {
    return [
      'It runs while a guard runs: restart the MCP client or the guard.',
      `${name} log --data ${shellWord(data)}   # read its journal instead`,
    ];
  }
  if (url === DEFAULT_URL) {
    return [
      `${name} up --dev   # start one here`,
      `${name} doctor     # find out what is wrong`,
      `${name} log --data FOLDER   # read a journal instead`,
    ];
  }
  return [
    'Check the address, and that the gateway is running.',
    `${name} doctor${sameOptions({ given, space })}   # find out what is wrong`,
  ];
}
