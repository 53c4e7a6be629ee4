import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { renderUnicodeCompact } from 'uqr';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { guardsFolder } from '../connection/guards-folder.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type MachineFolder, openMachineFolder, reviewToken } from '../guard/machine-folder.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { shareAddress } from './address.js';
import { type Certified, isGoodFor, selfSigned } from './certificate.js';
import { devicesIn } from './devices.js';
import { type Paired, type Share, type ShareOptions, startShare } from './listener.js';
import { createPairingCode, PAIRING_LIFETIME } from './pairing.js';
import { pairingQuestions } from './pairing-questions.js';

/** Characters of what a device says it is that are shown. */
const MOST_AGENT = 120;
/** How often it is looked whether somebody answered in the console, in milliseconds. */
const LOOKING = 250;
const USED =
  'This code has already been used or is older than two minutes. Press Enter on the computer for a new one.';

/** Lets devices on the network review in the guards' inbox, for as long as it runs. */
export async function shareInbox(asked: string | true, shell: Shell): Promise<ExitCode> {
  if (shell.stdin.isTTY !== true)
    throw usageFailure('--share needs a terminal: each device is confirmed there before it is let in.');
  const { host, port } = shareAddress(asked);
  const folder = openMachineFolder(guardsFolder(shell.env));
  const devices = devicesIn(folder.path);
  const questions = pairingQuestions(folder.path);
  const codes = createPairingCode();
  const lines = createInterface({ input: shell.stdin });
  /** What the next line answers, if anybody asked. */
  let question: ((isYes: boolean) => void) | undefined;

  async function confirm(from: string, agent: string): Promise<boolean> {
    shell.print(
      '',
      `A device at ${visible(from)} knows the code. It says that it is:`,
      `  ${visible(agent)}`,
    );
    shell.print(
      'Let it see, approve and reject what the guards hold? Type y and Enter; anything else refuses it.',
      'The console on this computer asks the same.',
    );
    const put = questions.put({ from, agent, askedAt: shell.now() });
    const timer = setTimeout(() => question?.(false), PAIRING_LIFETIME);
    const looking = setInterval(() => {
      const answer = put.answer();
      if (answer !== undefined) question?.(answer);
    }, LOOKING);
    return await new Promise<boolean>((resolve) => {
      question = resolve;
    }).finally(() => {
      clearTimeout(timer);
      clearInterval(looking);
      put.end();
      question = undefined;
    });
  }

  async function pair({ code, from, agent: said }: Parameters<ShareOptions['pair']>[0]): Promise<Paired> {
    if (question !== undefined || !codes.take(code, shell.now())) return { refused: USED };
    const agent = said.slice(0, MOST_AGENT);
    if (!(await confirm(from, agent))) {
      shell.print('Refused. Enter shows a new code.');
      return { refused: 'This device was refused on the computer.' };
    }
    const { device, token } = devices.add(agent, shell.now());
    shell.print(`Paired, as ${device.name}. To end that:  ${shell.name} devices --revoke ${device.name}`);
    return { token };
  }

  const share = await start({
    host,
    port,
    certified: certificateIn(folder, host, shell.now()),
    gatewayPort: () => folder.readPort() ?? 0,
    find: (token) => devices.find(token),
    tokenFor: ({ name }) => reviewToken(folder, name, shell.now()),
    pair,
  });
  const show = (): void => {
    const link = `https://${host}:${share.port}/console/#code=${codes.renew(shell.now())}`;
    shell.print('', picture(link, shell), '', link);
    shell.print('Scan it within 2 minutes. It works once. Enter shows a new one, Ctrl-C ends sharing.');
  };
  show();
  const interrupted = shell.interruption();
  await new Promise<void>((resolve) => {
    interrupted.addEventListener('abort', () => resolve(), { once: true });
    lines.once('close', resolve);
    lines.on('line', (line) => {
      if (question === undefined) show();
      else question(/^y(?:es)?$/i.test(line.trim()));
    });
  });
  question?.(false);
  lines.close();
  await share.close();
  return EXIT.done;
}

/** Light on dark where colours are wanted, whatever those of the terminal are. */
function picture(link: string, { style }: Shell): string {
  const lines = renderUnicodeCompact(link, { border: 2 }).split('\n');
  return lines.map((line) => (style.enabled ? `\u001b[97;40m${line}\u001b[0m` : line)).join('\n');
}

async function start(options: ShareOptions): Promise<Share> {
  try {
    return await startShare(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Devices cannot be served on ${options.host}:${options.port}: ${why}.`;
    const next = [`--share ${options.host}:0   # any free port`];
    throw new CommandFailure({ exit: EXIT.refused, code: 'cannot_listen', message, next }, error);
  }
}

/** The same certificate as last time where it still fits: a browser that was told to accept it does so again. */
function certificateIn({ path }: MachineFolder, host: string, now: number): Certified {
  const file = join(path, 'share.json');
  const kept = readKept(file);
  if (kept !== undefined && isGoodFor(kept.cert, host, now)) return kept;
  const made = selfSigned(host, now);
  writeFileSync(file, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  return made;
}

function readKept(file: string): Certified | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Certified;
  } catch {
    return undefined;
  }
}
