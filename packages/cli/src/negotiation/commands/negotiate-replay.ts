import type { Command } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import { seqOption } from '../../command-options.js';
import type { Shell } from '../../terminal/shell.js';
import type { NegotiateReplayFlags } from '../actions/negotiate-replay.js';
import { withNegotiator } from '../negotiator-options.js';

/** `proffer negotiate replay`: a session message by message, with its state after each. */
export function addReplay(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withNegotiator(
    parent
      .command('replay')
      .argument('<session>', 'the session')
      .description('Replay a session message by message, with its state after each')
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--until <sequence>', 'stop after this message', seqOption)
      .option('--step', 'wait for Enter after each message'),
  ).action(async (text: string, options: NegotiateReplayFlags) =>
    done(await (await import('../actions/negotiate-replay.js')).replay(text, options, shell)),
  );
}
