import { count } from '@proffer/core/words';
import type { Gateway, GatewayConfig } from '@proffer/gateway';
import { formatAddress } from '@proffer/gateway/address';
import { gatewayUrl, whereOptions } from '../connection/endpoint.js';
import { nameOfPlace } from '../journal/place.js';
import type { Shell } from '../terminal/shell.js';
import { pad, visible } from '../terminal/visible.js';
import { SAMPLE_EDIT } from './sample-tools.js';

/** The startup message of a gateway: its addresses, its participants, and what to try next. */
export function greet(
  gateway: Pick<Gateway, 'address' | 'grpcAddress'>,
  config: GatewayConfig,
  {
    shell,
    notes,
    tools,
  }: { readonly shell: Shell; readonly notes?: string; readonly tools: readonly string[] },
): readonly string[] {
  const { style } = shell;
  const { address, grpcAddress } = gateway;
  const where = formatAddress(address);
  const [http, ws] = address.secure ? ['https', 'wss'] : ['http', 'ws'];
  const row = (label: string, value: string) => `  ${style.dim(pad(label, 11))} ${value}`;
  const spaces = [...config.spaces.keys()];
  const [space = 'main'] = spaces;
  const at = visible(whereOptions({ url: gatewayUrl(address, address.secure), space, given: {} }));
  return [
    `${style.green('✓')} ${style.bold('Proffer is running')}${config.dev ? style.yellow('  in dev mode, on this machine only') : ''}`,
    '',
    row('console', style.bold(`${http}://${where}/console/`)),
    row('HTTP', `${http}://${where}`),
    row('WebSocket', `${ws}://${where}/ws?space=${space}`),
    ...(grpcAddress === undefined
      ? []
      : [row('gRPC', `${formatAddress(grpcAddress)}  ${style.dim('MACP')}`)]),
    row(spaces.length === 1 ? 'space' : 'spaces', spaces.map(visible).join(', ')),
    row('journal', nameOfPlace(config.journal)),
    ...(config.dev
      ? participants(shell, tools, notes)
      : [
          row(
            'entry',
            `${count(config.tokens.length, 'token')}${config.jwt === undefined ? '' : ', and JWT'}`,
          ),
        ]),
    '',
    ...(config.dev
      ? nextSteps(shell, at)
      : [
          style.dim(
            `In this folder: ${shell.name} doctor${at === '' ? '' : ` --token …${at}`} · ${shell.name} inbox --token …${at}`,
          ),
        ]),
    '',
    style.dim('Ctrl-C stops it. Everything recorded so far is kept.'),
  ];
}

function participants(
  { style, name: program }: Shell,
  tools: readonly string[],
  notes: string | undefined,
): readonly string[] {
  const row = (name: string, what: string) => `    ${style.bold(pad(name, 9))} ${style.dim(what)}`;
  return [
    '',
    '  Who is who. In dev mode the token is simply the name:',
    row('agent', 'may only propose'),
    row('reviewer', 'full access; approves and rejects'),
    row('steward', `decides by rules, once you start it: ${program} steward --rules FILE`),
    row('tools', `runs what is approved: ${tools.join(', ')}`),
    ...(notes === undefined ? [] : [row('', `(notes are in ${notes}; gone when it stops)`)]),
  ];
}

function nextSteps({ style, name }: Shell, at: string): readonly string[] {
  return [
    '  Try it: open the console as reviewer. Then, in another terminal, in this folder, run:',
    `    ${style.cyan(`${name} propose ${SAMPLE_EDIT}${at}`)}`,
    '  The agent asks to edit a file, and waits. The call appears in the console: press a to approve it. Or in a terminal:',
    `    ${style.cyan(`${name} inbox --watch${at}`)}`,
  ];
}
