import { EXIT, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** `proffer notify`: whether people can be reached. */
export const addNotify: AddCommands = (program, shell, done) => {
  const family = program.command('notify').description('Test the notifications in the configuration');

  family
    .command('test')
    .argument('<channel>', 'the name of a channel under notify.channels')
    .description('Send a test message to everyone on a channel')
    .option('-c, --config <file>', 'the configuration (default: proffer.yaml)')
    .action(async (channel: string, options: { readonly config?: string }) => {
      const allSent = await sendTest(channel, options, shell);
      done(allSent ? EXIT.done : EXIT.refused);
    });
};

/** How long one recipient may take, in milliseconds. */
const TIMEOUT = 30_000;

/** Sends a test message to everyone on a channel. Resolves with whether all were reached. */
async function sendTest(name: string, options: { readonly config?: string }, shell: Shell): Promise<boolean> {
  const { consoleLink, openChannel, sampleNotification } = await import('@proffer/notify');
  const { configure } = await import('../up/configure.js');
  const config = configure(options, shell);
  const channels = config.notify?.channels ?? new Map();
  const settings = config.notify?.channels.get(name);
  if (settings === undefined) {
    const known = [...channels.keys()];
    const there = known.length === 0 ? 'The configuration has none' : `There are ${known.join(', ')}`;
    throw usageFailure(`There is no channel ${visible(name)}. ${there} (notify.channels).`, []);
  }
  const routes = [...(config.notify?.participants ?? [])].flatMap(([participant, all]) =>
    all.filter(({ channel }) => channel === name).map((route) => ({ participant, route })),
  );
  if (routes.length === 0) {
    throw usageFailure(`Channel ${name} reaches nobody: no route under notify.participants uses it.`, []);
  }
  const address = { host: '127.0.0.1', port: 7420, ...config.listen.http, secure: config.tls !== undefined };
  let allSent = true;
  for (const { participant, route } of routes) {
    const sample = sampleNotification(participant, consoleLink(config, address), shell.now());
    const delivery = await openChannel(settings, route).deliver(sample, AbortSignal.timeout(TIMEOUT));
    const to = route.to === undefined ? '' : ` (${visible(route.to)})`;
    if (delivery.ok) shell.print(`${shell.style.green('✓')} ${visible(participant)}${to}: sent`);
    else shell.print(`${shell.style.red('✗')} ${visible(participant)}${to}: ${visible(delivery.why)}`);
    allSent &&= delivery.ok;
  }
  return allSent;
}
