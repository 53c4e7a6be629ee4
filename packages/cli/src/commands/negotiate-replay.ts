import { createInterface } from 'node:readline';
import { ProposalSession } from '@proffer/client';
import type { SessionRecord } from '@proffer/core';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.js';
import { journalFolder } from '../journal/folder.js';
import { readJournalledSession } from '../negotiation/journalled-session.js';
import { encodeMoment, showMoment } from '../negotiation/moment-view.js';
import { type NegotiatorOptions, negotiate, withNegotiator } from '../negotiation/negotiator.js';
import { recordOf } from '../negotiation/session-records.js';
import { createStory } from '../negotiation/story.js';
import { seqOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

interface ReplayOptions extends NegotiatorOptions {
  readonly data?: string;
  readonly until?: number;
  readonly step?: boolean;
}

/** `proffer negotiate replay`: a session message by message, with where it stood after each. */
export function addReplay(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('replay')
      .argument('<session>', 'the session')
      .description('Go through a session message by message, and see where it stood after each')
      .option('--data <folder>', 'read it from the folder of a journal, without a gateway')
      .option('--until <sequence>', 'stop after this message', seqOption)
      .option('--step', 'wait for Enter after each message'),
  ).action(async (text: string, options: ReplayOptions) => done(await replay(text, options, shell)));
}

async function replay(text: string, options: ReplayOptions, shell: Shell): Promise<ExitCode> {
  const records =
    options.data === undefined
      ? await readFromGateway(text, options, shell)
      : await readJournalledSession(await journalFolder(options, shell), text, shell.name);
  const [first] = records;
  if (first?.type !== 'session_started') return EXIT.done;
  const story = createStory(first.facts.rules);
  await using pace = options.step === true ? waitForEnter(shell) : undefined;
  for (const record of records.slice(0, options.until)) {
    const moment = story.add(record);
    if (options.json === true) shell.print(JSON.stringify(encodeMoment(moment, story)));
    else shell.print(...showMoment(moment, story, shell));
    await pace?.next();
  }
  return EXIT.done;
}

function readFromGateway(
  text: string,
  options: ReplayOptions,
  shell: Shell,
): Promise<readonly SessionRecord[]> {
  return negotiate(options, { shell, role: 'reviewer' }, async ({ client, find }) => {
    const id = await find(text);
    const rules = await client.getPolicyRules((await client.getSession(id)).policy_version);
    await using session = await ProposalSession.join(client, id, { rules });
    return session.projection.transcript.map((envelope) => recordOf(envelope, rules));
  });
}

/** Lines of the keyboard, one by one; when there are no more, nothing waits. */
function waitForEnter({ stdin }: Shell): AsyncDisposable & { next(): Promise<unknown> } {
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    next: () => lines.next(),
    async [Symbol.asyncDispose]() {
      reader.close();
      stdin.destroy();
    },
  };
}
