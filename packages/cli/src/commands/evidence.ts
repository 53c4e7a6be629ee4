import { InvalidArgumentError, Option } from 'commander';
import type { EvidenceFlags } from '../actions/journal/evidence.js';
import type { AddCommands } from '../command-families.js';
import { CONFIG, EXACT, withGuards } from '../command-options.js';
import { parseDuration } from '../terminal/visible.js';

/** `proffer evidence`: a file that shows somebody else how something was decided. */
export const addEvidence: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('evidence')
      .argument('[id]', 'the proposal, or the beginning of its id, or a negotiation session')
      .description('Write a file that shows an auditor how something was decided')
      .option(
        '--since <when>',
        'instead of an id: everything since then, such as 7d or 2026-11-01',
        (text: string) => whenOption(text, shell.now()),
      )
      .option('--out <file>', 'where to write it (default: the id and .evidence.json)')
      .addOption(
        new Option('--html', 'as a page that shows and checks itself, without a network').conflicts('json'),
      )
      .addOption(
        new Option('--scitt', 'as a COSE message with receipts (RFC 9942, RFC 9943)').conflicts('html'),
      )
      .addOption(
        new Option(
          '--hide <argument>',
          'leave out this argument of the call, what is computed from it, and what mentions it; repeatable',
        )
          .argParser<readonly string[] | undefined>((name, before) => [...(before ?? []), name])
          .conflicts('since'),
      )
      .option('--checkpoint <file...>', 'prove that the log continues these, for an auditor who kept them')
      .option('--exact', EXACT)
      .option('--data <folder>', 'read a journal instead of asking a gateway; also nats://HOST:PORT/STREAM')
      .addOption(
        new Option('-c, --config <file>', `read the journal of ${CONFIG}, and sign with its key`).conflicts(
          'data',
        ),
      )
      .option('--json', 'print it instead')
      .addHelpText(
        'after',
        `
The file has the records, the proof that each of them is in the signed log, and
the last checkpoint with its witnesses. Nobody needs a gateway to check it:

  ${shell.name} verify p-1.evidence.json --log-key approvals.keys

It has real values, including those that look like secrets. With --hide, salted
hashes stand in their place (evidence.hideable in the configuration).`,
      ),
  ).action(
    async (id: string | undefined, options: EvidenceFlags) =>
      await (await import('../actions/journal/evidence.js')).evidence(id, options, shell),
  );
};

/** A time: a date, or how long ago. */
function whenOption(text: string, now: number): number {
  const ago = parseDuration(text);
  const time = ago === undefined ? Date.parse(text) : now - ago;
  if (Number.isNaN(time) || time < 0)
    throw new InvalidArgumentError('Give a date, such as 2026-11-01, or how long ago, such as 7d.');
  return time;
}
