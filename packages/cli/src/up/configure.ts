import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined, type JsonObject } from '@proffer/core/json';
import {
  type Address,
  asksForDevMode,
  formatProblems,
  type GatewayConfig,
  loadConfig,
  namesCredentials,
  variableAboutCredentials,
} from '@proffer/gateway/config';
import { CHANNEL_TYPES } from '@proffer/notify/channels';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import { type Environment, type Shell, shellWord } from '../terminal/shell.js';

export interface UpOptions {
  readonly config?: string;
  readonly dev?: boolean;
  readonly data?: string;
  readonly port?: number;
  readonly grpcPort?: number;
  readonly logLevel?: string;
}

/** The configuration file that is used by default, if it exists. */
export const CONFIG_FILE = 'proffer.yaml';

/** The folder of dev mode's journal, separate from that of a configured gateway. */
const DEV_FOLDER = 'proffer-dev-data';

/** The default folder of dev mode's journal. */
export function devFolder(env: Environment): string {
  const paths = [env['PROFFER_JOURNAL_PATH'], env['MACP_DATA_DIR']];
  return paths.find((path) => path !== undefined && path !== '') ?? DEV_FOLDER;
}

/**
 * The configuration of a gateway: the file, dev mode or neither, then the environment, then the command line.
 *
 * @param consequence - what problems mean. Default: nothing was started
 */
export function configure(
  options: UpOptions,
  shell: Pick<Shell, 'env' | 'name'>,
  consequence?: string,
): GatewayConfig {
  const file = options.config ?? (options.dev !== true && existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);
  // In dev mode anyone can act as anyone, so it has to be asked for.
  const isAsked = options.dev === true || namesCredentials(shell.env) || asksForDevMode(shell.env);
  if (file === undefined && !isAsked) {
    const credentials = shell.env['MACP_ALLOW_INSECURE'] === '1' && variableAboutCredentials(shell.env);
    if (credentials)
      throw usageFailure(`MACP_ALLOW_INSECURE=1 would let everybody in, but ${credentials} is set.`, [
        `unset ${shellWord(credentials)}   # if everybody may come in, under any name`,
        'or set MACP_AUTH_TOKENS_JSON, MACP_AUTH_TOKENS_FILE or MACP_AUTH_ISSUER to say who may',
      ]);
    throw usageFailure(`There is no ${CONFIG_FILE} here, and --dev was not given.`, [
      `${shell.name} up --dev   # try things out on this machine`,
      `${shell.name} init       # write a ${CONFIG_FILE} to begin with`,
      'or set MACP_AUTH_TOKENS_JSON, MACP_AUTH_TOKENS_FILE, MACP_AUTH_ISSUER or MACP_ALLOW_INSECURE=1 to run without a file',
    ]);
  }
  if (file !== undefined && !existsSync(file))
    throw new CommandFailure({
      exit: EXIT.usage,
      code: 'invalid_config',
      message: `${file} does not exist; ${consequence ?? 'nothing was started'}.`,
      next: [
        `${shell.name} init ${shellWord(file)}   # writes one to begin with`,
        `${shell.name} up --dev   # needs none`,
      ],
    });
  const env = { ...gatewayVariables(shell.env), ...(options.dev === true ? { PROFFER_DEV: 'true' } : {}) };
  const { config, problems } = loadConfig(file, env, { channelTypes: CHANNEL_TYPES });
  if (config === undefined) {
    throw new CommandFailure({
      exit: EXIT.usage,
      code: 'invalid_config',
      message: formatProblems(problems, consequence),
      details: { problems: problems as readonly object[] as readonly JsonObject[] },
    });
  }
  const isDevAlone = file === undefined && config.dev && config.journal.backend === 'local';
  const data = options.data ?? (isDevAlone ? devFolder(shell.env) : undefined);
  return withOverrides(config, data, options);
}

function withOverrides(
  config: GatewayConfig,
  data: string | undefined,
  { port, grpcPort }: UpOptions,
): GatewayConfig {
  const { http, grpc, ...listen } = config.listen;
  const { retention } = config.journal;
  const durability = config.journal.backend === 'local' ? config.journal.durability : undefined;
  const kept = defined({ retention, durability });
  // A user who takes any port for one listener does not want a conflict on the other.
  const chosenForGrpc = grpcPort ?? (port === 0 && grpc !== undefined ? 0 : undefined);
  const wanted = {
    http: port === undefined ? http : onPort(http, port),
    grpc: chosenForGrpc === undefined ? grpc : onPort(grpc, chosenForGrpc),
  };
  const { evidence, ...others } = config;
  const path = data === undefined ? undefined : resolve(data);
  const isOther = path !== undefined && !(config.journal.backend === 'local' && config.journal.path === path);
  return {
    ...others,
    // The configured key signs the log of the configured journal only.
    ...defined({ evidence: isOther ? undefined : evidence }),
    listen: { ...listen, ...defined({ http: wanted.http, grpc: wanted.grpc }) },
    ...(path === undefined ? {} : { journal: { ...kept, backend: 'local', path } }),
  };
}

function onPort(address: Address | undefined, port: number): Address {
  return { host: address?.host ?? '127.0.0.1', port };
}

/** The environment without the variables of the commands that talk to a gateway. */
function gatewayVariables(env: Environment): Environment {
  const { PROFFER_URL: _url, PROFFER_SPACE: _space, PROFFER_TOKEN: _token, PROFFER_CA: _ca, ...rest } = env;
  return rest;
}
