import { EXIT } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';

/** `proffer notify`: whether people can be reached. */
export const addNotify: AddCommands = (program, shell, done) => {
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
};
