import { MacpError } from '@proffer/client/negotiation';
import { REFUSALS } from '@proffer/core';
import { CommandFailure, EXIT, type ExitCode } from '../command-failure.js';
import {
  type Endpoint,
  nextWithoutToken,
  noToken,
  sameOptions,
  whereOptions,
} from '../connection/endpoint.js';
import { nextUnreachable } from '../connection/no-answer.js';
import { commandAbout } from '../terminal/shell.js';

/** How to word a failure that the command can explain better than the gateway. */
export interface FailureWording {
  readonly message?: string;
  /** Commands to try first. */
  readonly next?: readonly string[];
  /** The session was about to be started, so there is none to show. */
  readonly starting?: boolean;
}

/**
 * Turns an error in a negotiation command into a failure with the command to try next. Other errors are
 * unchanged.
 */
export function failureFrom(
  error: unknown,
  endpoint: Endpoint,
  name: string,
  { message, next = [], starting = false }: FailureWording = {},
): unknown {
  if (!(error instanceof MacpError)) return error;
  const { code, details } = error;
  const after = nextAfter(error, endpoint, { name, starting });
  return new CommandFailure(
    {
      exit: exitFor(error),
      code: wordFor(error),
      message: message ?? forReaders(error, endpoint),
      details,
      next: [...next, ...after],
    },
    code === 'UNAVAILABLE' ? error.cause : error,
  );
}

/**
 * The message without hints for programs: a user of the command line sends no raw message and chooses no
 * message id.
 */
function forReaders({ code, message }: MacpError, endpoint: Endpoint): string {
  if (code === 'UNAUTHENTICATED' && endpoint.assumed) return noToken(endpoint);
  return message.replace(` ${REFUSALS.INVALID_ENVELOPE.advice}`, '');
}

/**
 * No session, or several, match the given id.
 *
 * @param list - the command that lists them
 */
export function noSuchSession(text: string, found: readonly string[], list: string): CommandFailure {
  const many = found.length > 1;
  return new CommandFailure({
    exit: many ? EXIT.usage : EXIT.refused,
    code: many ? 'usage' : 'SESSION_NOT_FOUND',
    message: many
      ? `Several sessions have an id that begins with ${JSON.stringify(text)}; type more characters.`
      : `No session that you may read has an id that begins with ${JSON.stringify(text)}.`,
    details: { found: found.slice(0, 20) },
    next: [`${list}   # lists them`],
  });
}

function exitFor({ code }: MacpError): ExitCode {
  if (code === 'UNAVAILABLE') return EXIT.unreachable;
  return code === 'TIMED_OUT' ? EXIT.timedOut : EXIT.refused;
}

function wordFor({ code }: MacpError): string {
  if (code === 'UNAVAILABLE') return 'unreachable';
  return code === 'TIMED_OUT' ? 'timed_out' : code;
}

function nextAfter(
  { code, sessionId }: MacpError,
  endpoint: Endpoint,
  { name, starting }: { readonly name: string; readonly starting: boolean },
): readonly string[] {
  const { assumed } = endpoint;
  const session = sessionId ?? 'SESSION';
  const show = (options: string): string => commandAbout(`${name} negotiate show`, [session], { options });
  const standing = `${show(sameOptions(endpoint))}   # shows its state`;
  switch (code) {
    case 'UNAVAILABLE':
      return nextUnreachable(endpoint, name);
    case 'UNAUTHENTICATED':
      return assumed
        ? nextWithoutToken(endpoint, name)
        : ['--as NAME   # in dev mode: who you are', `${name} token NAME   # elsewhere: makes a token`];
    case 'FORBIDDEN':
      return [
        '--as NAME   # in dev mode: someone allowed to do this in the session',
        // Someone who may not send may not read either; in dev mode the default reader may.
        ...(starting ? [] : [`${show(elsewhere(endpoint))}   # who may`]),
      ];
    case 'SESSION_NOT_FOUND':
      return [`${name} negotiate list${sameOptions(endpoint)}   # the sessions that you may read`];
    case 'SESSION_NOT_OPEN':
    case 'SESSION_ALREADY_EXISTS':
      return [standing];
    case 'INVALID_ENVELOPE':
    case 'POLICY_DENIED':
      return starting ? [`${name} negotiate start --help   # shows the options`] : [standing];
    case 'UNKNOWN_POLICY_VERSION':
      return [`${name} negotiate policy list${sameOptions(endpoint)}   # lists the policies`];
    case 'INVALID_POLICY_DEFINITION':
      return [`${name} negotiate policy show policy.default${sameOptions(endpoint)}   # shows every rule`];
    case 'UNSUPPORTED':
      return ['Check --url: that server does not support negotiations.'];
    default:
      return [];
  }
}

/** The options for the same gateway, without the user if the name alone identifies it. */
function elsewhere(endpoint: Endpoint): string {
  return endpoint.given.as === undefined
    ? sameOptions(endpoint)
    : whereOptions({ ...endpoint, space: 'main' });
}
