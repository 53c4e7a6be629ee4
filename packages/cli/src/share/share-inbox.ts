import { createInterface } from 'node:readline';
import { deviceName } from '@proffer/core/words';
import { renderUnicodeCompact } from 'uqr';
import { EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import { guardsFolder } from '../connection/guards-folder.js';
import { openMachineFolder, readGuardsConfig } from '../guard/machine-folder.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { shareAddress } from './address.js';
import { offeredPairing, PAIRING_LIFETIME } from './offered-pairing.js';
import { pairingQuestions } from './pairing-questions.js';
import { serveDevices } from './serve-devices.js';

/** How often to check for an answer in the console, in milliseconds. */
const POLL_INTERVAL = 250;
/** Lets devices on the network review in the guards' inbox while it runs. */
export async function shareInbox(asked: string | true, shell: Shell): Promise<ExitCode> {
  if (shell.stdin.isTTY !== true)
    throw usageFailure('--share needs a terminal: each device is confirmed there before it is let in.');
  const { host, port } = shareAddress(asked);
  const folder = openMachineFolder(guardsFolder(shell.env));
  const questions = pairingQuestions(folder.path);
  const pairing = offeredPairing(folder.path);
  const lines = createInterface({ input: shell.stdin });
  /** The question that the next line answers, if any. */
  let question: ((isYes: boolean) => void) | undefined;

  async function confirm(from: string, agent: string, gone: AbortSignal): Promise<boolean> {
    shell.print('', `A device wants to pair: ${visible(deviceName(agent))}, ${visible(from)}.`);
    shell.print(
      'Let it see, approve and reject what the guards hold? Type y and press Enter; anything else refuses it.',
      'The console on this computer asks the same.',
    );
    const put = questions.put({ from, agent, askedAt: shell.now() });
    const timer = setTimeout(() => question?.(false), PAIRING_LIFETIME);
    const looking = setInterval(() => {
      const answer = put.answer();
      if (answer !== undefined) question?.(answer);
    }, POLL_INTERVAL);
    return await new Promise<boolean>((resolve) => {
      question = resolve;
      gone.addEventListener('abort', () => resolve(false), { once: true });
    }).finally(() => {
      clearTimeout(timer);
      clearInterval(looking);
      put.end();
      question = undefined;
    });
  }

  const share = await serveDevices({
    folder,
    host,
    port,
    now: shell.now,
    take: (code) => pairing.codes.take(code, shell.now()),
    async confirm(from, agent, gone) {
      const isLetIn = await confirm(from, agent, gone);
      if (!isLetIn) shell.print(`${gone.aborted ? 'The device left.' : 'Refused.'} Enter shows a new code.`);
      return isLetIn;
    },
    onPaired: ({ name }) =>
      shell.print(`Paired as ${name}. To revoke it:  ${shell.name} devices --revoke ${name}`),
  });
  pairing.begin({ host, port: share.port });
  const show = async (): Promise<void> => {
    const { config } = await readGuardsConfig(folder);
    const { link = '' } = (await pairing.link(shell.now(), config?.notify?.url)) ?? {};
    shell.print('', picture(link, shell), '', link);
    shell.print('Scan it within 2 minutes. It works once. Enter shows a new one, Ctrl-C ends sharing.');
  };
  await show();
  const interrupted = shell.interruption();
  await new Promise<void>((resolve) => {
    interrupted.addEventListener('abort', () => resolve(), { once: true });
    lines.once('close', resolve);
    lines.on('line', (line) => {
      if (question === undefined) void show();
      else question(/^y(?:es)?$/i.test(line.trim()));
    });
  });
  question?.(false);
  lines.close();
  pairing.end();
  await share.close();
  return EXIT.done;
}

/** Light on dark if colours are enabled, whatever the terminal's own colours are. */
function picture(link: string, { style }: Shell): string {
  const lines = renderUnicodeCompact(link, { border: 2 }).split('\n');
  return lines.map((line) => (style.enabled ? `\u001b[97;40m${line}\u001b[0m` : line)).join('\n');
}
