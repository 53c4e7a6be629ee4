import { isFinal, readEnvelope, type SessionMetadata } from '@proffer/core';
import type { Command } from 'commander';
import { interruption } from '../connect.js';
import { count } from '../display/count.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { createHint } from '../negotiation/hint.js';
import { wordsFor } from '../negotiation/message-words.js';
import { type NegotiatorOptions, negotiate, withNegotiator } from '../negotiation/negotiator.js';
import { readSession } from '../negotiation/read-session.js';
import { encodeSession, showSession, timeLeft } from '../negotiation/session-view.js';
import { seqOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import { createStyle } from '../terminal/style.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { visible } from '../terminal/visible.js';
import { pad } from '../terminal/width.js';

/** Who reads in dev mode when nobody says. */
const READER = 'reviewer';

/** `proffer negotiate list|show|watch`: where negotiations stand. */
export function addSessionReading(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('list')
      .description('List the sessions that you may read')
      .option('--all', 'also those that are over'),
  ).action(async (options: NegotiatorOptions & { readonly all?: boolean }) =>
    done(await list(options, shell)),
  );

  withNegotiator(
    parent
      .command('show')
      .argument('<session>', 'the session')
      .description('Show the offers of a session, who accepts what, and whether it can be committed')
      .option('--committer <name>', 'who would commit (default the initiator)'),
  ).action(async (text: string, options: NegotiatorOptions & { readonly committer?: string }) => {
    await negotiate(options, { shell, role: READER }, async ({ client, find, endpoint }) => {
      const now = shell.now();
      const { committer } = options;
      const view = await readSession(client, await find(text), {
        now,
        ...(committer === undefined ? {} : { committer }),
      });
      if (options.json === true) shell.print(JSON.stringify(encodeSession(view)));
      else shell.print(...showSession(view, { hint: createHint(endpoint, shell), now }));
    });
    done(EXIT.done);
  });

  withNegotiator(
    parent
      .command('watch')
      .argument('<session>', 'the session')
      .description('Show what was said in a session and what is said from now on, until it is over')
      .option('--after <sequence>', 'only what follows this message', seqOption, 0),
  ).action(async (text: string, options: NegotiatorOptions & { readonly after: number }) =>
    done(await watch(text, options, shell)),
  );
}

async function list(
  options: NegotiatorOptions & { readonly all?: boolean },
  shell: Shell,
): Promise<ExitCode> {
  const all = await negotiate(options, { shell, role: READER }, ({ client }) => client.listSessions());
  const sessions = all.filter(({ state }) => options.all === true || !isFinal(state));
  const { style } = shell;
  if (options.json === true) {
    shell.print(JSON.stringify({ sessions }));
    return EXIT.done;
  }
  if (sessions.length === 0) {
    const over = all.length === 0 ? '' : `  (over: ${count(all.length, 'session')}; --all lists them)`;
    shell.print(
      `No session is open.${over}`,
      style.dim(`  to start one:  ${shell.name} negotiate start "…" -p NAME -p NAME`),
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
    style.dim(`${shell.name} negotiate show SESSION`),
  );
  return EXIT.done;
}

function rowOf(session: SessionMetadata, now: number): readonly string[] {
  const messages = session.participant_activity.reduce((sum, { message_count }) => sum + message_count, 0);
  return [
    visible(session.session_id),
    session.state,
    visible(session.initiator),
    session.participants.map(visible).join(', '),
    String(messages),
    visible(session.policy_version),
    timeLeft(session, now, createStyle(false)) || formatMoment(session.started_at_unix_ms, now),
  ];
}

async function watch(
  text: string,
  options: NegotiatorOptions & { readonly after: number },
  shell: Shell,
): Promise<ExitCode> {
  const signal = interruption();
  // Asked once without patience, so that a wrong address is told at once.
  const id = await negotiate(options, { shell, role: READER }, async ({ client, find }) => {
    return (await client.getSession(await find(text))).session_id;
  });
  await negotiate(options, { shell, role: READER, patient: true }, async ({ client }) => {
    let isLost = false;
    const onLost = (): void => {
      if (!isLost) shell.tell(shell.style.yellow('The gateway is gone; trying again until it is back.'));
      isLost = true;
    };
    for await (const accepted of client.subscribe(id, { after: options.after, signal, onLost })) {
      isLost = false;
      const { sequence, envelope, acceptedAt = envelope.timestamp_unix_ms } = accepted;
      const read = readEnvelope(envelope);
      if (options.json === true) shell.print(JSON.stringify(accepted));
      else if (read.ok) {
        const { who, what, detail } = wordsFor(read.value, shell.style);
        const when = shell.style.dim(formatMoment(acceptedAt, shell.now()));
        shell.print(
          `${pad(String(sequence), 4)}${when}  ${pad(who, 14)}  ${pad(what, 10)}  ${detail}`.trimEnd(),
        );
      }
    }
  });
  return EXIT.done;
}
