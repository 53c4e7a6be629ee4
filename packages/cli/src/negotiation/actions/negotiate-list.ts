import type { MacpClient } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import { isFinal, RUNTIME, type SessionMetadata } from '@proffer/core/negotiation';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { sameOptions } from '../../connection/endpoint.js';
import { createStyle, printJson, type Shell } from '../../terminal/shell.js';
import { type Column, formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible } from '../../terminal/visible.js';
import { modeNamed, shortMode } from '../mode-names.js';
import { negotiate, READER } from '../negotiator.js';
import type { NegotiatorOptions } from '../negotiator-options.js';
import { timeLeft } from '../session-view.js';
import { someNames } from '../view-parts.js';

/** Command-line options of `negotiate list`. */
export interface ListOptions extends NegotiatorOptions {
  readonly mode?: string;
  readonly with?: string;
  readonly all?: boolean;
  readonly limit: number;
  readonly before?: number;
}

/** Sessions in start order. */
interface Listed {
  readonly sessions: readonly SessionMetadata[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  /** Where the older ones begin. */
  readonly next?: number;
}

/** The most that one page of history holds. */
const PAGE = 500;

/** Prints the sessions one may read: the open ones, or all. */
export async function list(options: ListOptions, shell: Shell): Promise<ExitCode> {
  const { listed, at } = await negotiate(options, { shell, role: READER }, async ({ client, endpoint }) => ({
    listed: await (options.all === true ? listAll(client, options) : listOpen(client, options)),
    at: visible(sameOptions(endpoint)),
  }));
  const { sessions, hasMore, next } = listed;
  const { style, name } = shell;
  if (options.json === true) {
    printJson(listed, shell);
    return EXIT.done;
  }
  const all = `${name} negotiate list --all${at}`;
  const older = next === undefined ? all : `${all} --before ${next}`;
  if (sessions.length === 0) {
    const isAny = options.mode === undefined && options.with === undefined;
    const what = isAny ? '' : ' like this';
    const which =
      options.all === true ? `There are no sessions${what} you can read` : `No session${what} is open`;
    shell.print(
      `${which}.`,
      style.dim(`  to start one:        ${name} negotiate start "…" -p NAME -p NAME${at}`),
      ...(options.all === true ? [] : [style.dim(`  to list ended ones:  ${all}`)]),
    );
    return EXIT.done;
  }
  const columns = [
    { title: 'SESSION', paint: style.bold },
    ...(options.all === true ? ALL_COLUMNS : OPEN_COLUMNS),
  ];
  const rows = sessions.map((session) => rowOf(session, shell.now(), options.all === true));
  shell.print(
    formatTable(columns, rows, { width: tableWidth(shell), style }),
    '',
    ...(hasMore ? [style.yellow(`There are older sessions:  ${older}`)] : []),
    style.dim(`${name} negotiate show SESSION${at}`),
  );
  return EXIT.done;
}

async function listOpen(client: MacpClient, wanted: ListOptions): Promise<Listed> {
  const { sessions, hasMore } = await client.listSessions();
  const open = sessions.filter((session) => !isFinal(session.state) && isWanted(session, wanted));
  return { sessions: open, hasMore };
}

function isWanted(session: SessionMetadata, { mode, with: name }: ListOptions): boolean {
  const { initiator, participants } = session;
  if (mode !== undefined && session.mode !== modeNamed(mode)) return false;
  return name === undefined || name === initiator || participants.includes(name);
}

async function listAll(client: MacpClient, wanted: ListOptions): Promise<Listed> {
  const { limit, before } = wanted;
  const found: SessionMetadata[] = [];
  let next = before;
  do {
    const page = await client.sessionHistory({
      limit: Math.min(limit - found.length, PAGE),
      ...defined({ before: next }),
    });
    found.push(...page.sessions.filter((session) => isWanted(session, wanted)));
    next = page.next;
  } while (next !== undefined && found.length < limit);
  const sessions = found.reverse();
  return next === undefined ? { sessions, hasMore: false } : { sessions, hasMore: true, next };
}

const OPEN_COLUMNS: readonly Column[] = [
  { title: 'MODE' },
  { title: 'STATE' },
  { title: 'INITIATOR' },
  { title: 'PARTICIPANTS' },
  { title: 'MESSAGES' },
  { title: 'POLICY' },
  { title: 'TIME' },
  { title: 'INTENT', flexible: true },
];

const ALL_COLUMNS: readonly Column[] = [
  { title: 'MODE' },
  { title: 'STATE' },
  { title: 'PARTICIPANTS' },
  { title: 'STARTED' },
  { title: 'ENDED' },
  { title: 'INTENT' },
  { title: 'REASON', flexible: true },
];

function rowOf(session: SessionMetadata, now: number, all: boolean): readonly string[] {
  const { session_id, mode, initiator, participants, policy_version, intent = '', ending } = session;
  const started = formatMoment(session.started_at_unix_ms, now);
  const left = timeLeft(session, now, createStyle(false));
  if (!all) {
    return [
      visible(session_id),
      visible(shortMode(mode)),
      stateIn(session),
      visible(initiator),
      someNames(participants),
      String(session.message_count ?? ''),
      visible(policy_version),
      left || started,
      visible(intent),
    ];
  }
  return [
    visible(session_id),
    visible(shortMode(mode)),
    stateIn(session),
    someNames(participants),
    started,
    ending === undefined ? left : `${formatMoment(ending.at_unix_ms, now)} ${endedBy(ending.by)}`,
    visible(shortened(intent)),
    visible(ending?.reason ?? ''),
  ];
}

/** A negative outcome is an outcome too: without the word, it would look like an agreement. */
function stateIn({ state, ending }: SessionMetadata): string {
  return ending?.outcome_positive === false ? `${state}, negative` : state;
}

function endedBy(by: string): string {
  return by === RUNTIME ? '' : `by ${visible(by)}`;
}

/** Two long texts do not fit into one line. */
function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
