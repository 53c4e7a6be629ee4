import { isFinal, type SessionMetadata } from '@proffer/core';
import { sameOptions } from '../connection/gateway-url.js';
import { count } from '../display/count.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { negotiate, READER } from '../negotiation/negotiator.js';
import type { NegotiatorOptions } from '../negotiation/negotiator-options.js';
import { timeLeft } from '../negotiation/session-view.js';
import { someNames } from '../negotiation/some-names.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { createStyle } from '../terminal/style.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';

/** Options of `negotiate list`, as they stand on the command line. */
export interface ListOptions extends NegotiatorOptions {
  readonly all?: boolean;
}

/** Prints the sessions that one may read. */
export async function list(options: ListOptions, shell: Shell): Promise<ExitCode> {
  const { listed, at } = await negotiate(options, { shell, role: READER }, async ({ client, endpoint }) => ({
    listed: await client.listSessions(),
    at: visible(sameOptions(endpoint)),
  }));
  const { sessions: all, hasMore } = listed;
  const sessions = all.filter(({ state }) => options.all === true || !isFinal(state));
  const { style } = shell;
  if (options.json === true) {
    printJson({ sessions, hasMore }, shell);
    return EXIT.done;
  }
  if (sessions.length === 0) {
    const over = all.length === 0 ? '' : `  (over: ${count(all.length, 'session')}; --all lists them)`;
    shell.print(
      `No session is open${hasMore ? ` among the newest ${all.length}; there are more` : ''}.${over}`,
      style.dim(`  to start one:  ${shell.name} negotiate start "…" -p NAME -p NAME${at}`),
    );
    return EXIT.done;
  }
  const columns = [
    { title: 'SESSION', paint: style.bold },
    { title: 'STATE' },
    { title: 'INITIATOR' },
    { title: 'PARTICIPANTS', flexible: true },
    { title: 'MESSAGES' },
    { title: 'POLICY' },
    { title: 'TIME' },
  ];
  const rows = sessions.map((session) => rowOf(session, shell.now()));
  shell.print(
    formatTable(columns, rows, { width: tableWidth(shell), style }),
    '',
    ...(hasMore
      ? [
          style.yellow(
            `These are among the newest ${count(all.length, 'session')}: there are older ones, and one answer holds no more.`,
          ),
        ]
      : []),
    style.dim(`${shell.name} negotiate show SESSION${at}`),
  );
  return EXIT.done;
}

function rowOf(session: SessionMetadata, now: number): readonly string[] {
  const messages = session.participant_activity.reduce((sum, { message_count }) => sum + message_count, 0);
  return [
    visible(session.session_id),
    session.state,
    visible(session.initiator),
    someNames(session.participants),
    String(messages),
    visible(session.policy_version),
    timeLeft(session, now, createStyle(false)) || formatMoment(session.started_at_unix_ms, now),
  ];
}
