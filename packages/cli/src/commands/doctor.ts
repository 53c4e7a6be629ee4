import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withEndpoint } from '../connect.js';
import { type EndpointOptions, resolveEndpoint } from '../connection/endpoint.js';
import type { Finding } from '../doctor/finding.js';
import { checkClock, checkGateway } from '../doctor/gateway-checks.js';
import { checkConfig, checkData, checkDisk, checkNode, checkPort } from '../doctor/machine-checks.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { pad } from '../terminal/width.js';
import { defaultFolder } from './journal.js';

interface DoctorOptions extends EndpointOptions {
  readonly config?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/** `proffer doctor`: looks at everything that a gateway needs, and says what to do. */
export function addDoctor(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withEndpoint(
    program
      .command('doctor')
      .description('Check this machine, the configuration and the gateway, and say what to do')
      .option('--config <file>', 'the configuration (default proffer.yaml, if it is there)')
      .option('--data <folder>', 'the folder of the journal (default proffer-data)')
      .option('--json', 'answer in JSON'),
  ).action(async (options: DoctorOptions) => {
    const findings = await examine(options, shell);
    const bad = findings.filter(({ state }) => state === 'bad').length;
    if (options.json === true) shell.print(JSON.stringify({ healthy: bad === 0, findings }));
    else print(findings, bad, shell);
    done(bad === 0 ? EXIT.done : EXIT.refused);
  });
}

async function examine(options: DoctorOptions, shell: Shell): Promise<readonly Finding[]> {
  const endpoint = resolveEndpoint(options, shell.env, 'reviewer');
  const configured = checkConfig(options.config, shell);
  const folder = resolve(options.data ?? configured.data ?? defaultFolder(shell.env));
  const gateway = await checkGateway(endpoint, shell.name);
  const ports = gateway.isLocal
    ? [
        await checkPort(configured.http, gateway.isUp),
        ...(configured.grpc === undefined ? [] : [await checkPort(configured.grpc, gateway.isUp)]),
      ]
    : [];
  return [
    checkNode(process.versions.node),
    configured.finding,
    ...ports,
    await checkData(folder),
    await checkDisk(folder),
    gateway.finding,
    checkClock(gateway.serverTime, shell.now()),
  ];
}

function print(findings: readonly Finding[], bad: number, { style, print, name }: Shell): void {
  const marks = { good: style.green('✓'), warn: style.yellow('!'), bad: style.red('✗') };
  for (const { state, subject, message, remedy } of findings) {
    print(`${marks[state]} ${style.bold(pad(subject, 14))} ${visibleText(message)}`);
    if (remedy !== undefined) print(`${' '.repeat(17)}${style.cyan('→')} ${visible(remedy)}`);
  }
  print('');
  if (bad > 0) print(style.red(`${bad} ${bad === 1 ? 'thing has' : 'things have'} to be put right.`));
  else print(`All is well. ${style.dim(`${name} up --dev starts a gateway to try.`)}`);
}

function visibleText(message: string): string {
  return message
    .split('\n')
    .map(visible)
    .join(`\n${' '.repeat(17)}`);
}
