import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer notify`: whether people can be reached. */
export function addNotify(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  const family = program.command('notify').description('Test the notifications in the configuration');

  family
    .command('test')
    .argument('<channel>', 'the name of a channel under notify.channels')
    .description('Send a test message to everyone on a channel')
    .option('-c, --config <file>', 'the configuration (default: proffer.yaml)')
    .action(async (channel: string, options: { readonly config?: string }) => {
      const allSent = await (await import('../actions/notify-test.js')).sendTest(channel, options, shell);
      done(allSent ? EXIT.done : EXIT.refused);
    });
}
