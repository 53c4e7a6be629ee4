import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, TRIED_EVENT } from '@proffer/hook/launch';
import { guardsFolder } from '../../connection/guards-folder.js';
import { inboxCommand } from '../../hook/next-steps.js';
import { agentNamed } from '../../hook/own-entries.js';
import { PACKAGE_FOLDER } from '../../own-package.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `hook test`. */
export interface HookTestOptions {
  readonly command: string;
  readonly wait?: number;
  readonly data?: string;
  readonly json?: boolean;
}

const DEFAULT_WAIT = 60_000;

/** Sends an event like the agent's through the whole path and shows the answer. Runs nothing. */
export async function hookTest(name: string, options: HookTestOptions, shell: Shell): Promise<void> {
  const agent = agentNamed(name, `${shell.name} hook test`);
  const { command, wait = DEFAULT_WAIT, json } = options;
  const folder = resolve(options.data ?? guardsFolder(shell.env));
  const event = agent.events[0] ?? '';
  if (json !== true) {
    shell.print(
      `${agent.label} wants to run:  ${visible(command)}`,
      shell.style.dim(`  if a person has to decide:  ${inboxCommand(shell)}`),
    );
  }
  const proffer = fileURLToPath(new URL('bin/proffer.js', PACKAGE_FOLDER));
  const send = (sent: string): ReturnType<typeof launch> =>
    launch({
      asked: { agent: agent.id, event: sent, wait, otherwise: 'ask' },
      folder,
      serve: [process.execPath, proffer, 'hook', 'serve', '--data', folder],
      input: Buffer.from(JSON.stringify(agent.sample(process.cwd(), command))),
    });
  const answer = await send(event);
  // Whoever approved it learns that nothing ran.
  await send(TRIED_EVENT);
  if (json !== true) shell.print(`${agent.label} would be told (exit code ${answer.exitCode}):`);
  const said = answer.stdout.trim();
  shell.print(visible(said));
  const meaning = meaningOf(said, agent.label);
  if (json !== true && meaning !== undefined) shell.print(shell.style.dim(`  ${meaning}`));
}

/** Some answers do not explain themselves. */
function meaningOf(said: string, label: string): string | undefined {
  if (said === '') return `An empty answer with this exit code means that ${label} does not run it.`;
  if (said !== '{}') return undefined;
  return `No decision: ${label} does what it would do without the hook. It may ask you itself.`;
}
