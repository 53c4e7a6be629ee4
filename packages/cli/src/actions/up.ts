import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardsFolder, noteGateway } from '@proffer/client/machine';
import { CONSOLE_FOLDER } from '@proffer/console';
import type { JsonObject } from '@proffer/core/json';
import { type Gateway, type GatewayConfig, hidingLog, startGateway } from '@proffer/gateway';
import { formatAddress, restartNeeded } from '@proffer/gateway/config';
import { folderOf } from '@proffer/journal';
import { notifyCompanion } from '@proffer/notify';
import { rulesCompanion } from '@proffer/steward/companion';
import { type Logger, pino } from 'pino';
import { CommandFailure, EXIT } from '../command-failure.js';
import { createConnection } from '../connection/connection.js';
import { gatewayUrl, whereOptions } from '../connection/endpoint.js';
import { follow } from '../connection/follow.js';
import { logLine } from '../display/log/log-line.js';
import { repairStep, reportCutOff } from '../journal/damaged.js';
import { logLines, type Shell, shellWord, stopSignal } from '../terminal/shell.js';
import { CONFIG_FILE, configure, type UpOptions } from '../up/configure.js';
import { greet } from '../up/greeting.js';
import { SAMPLE_NOTE, sampleTools, startExecutor } from '../up/sample-tools.js';

/** Runs a gateway until it is told to stop. */
export async function up(options: UpOptions, shell: Shell): Promise<void> {
  const config = configure(options, shell);
  const log = hidingLog(pino({ level: options.logLevel ?? (config.dev ? 'warn' : 'info') }, logLines()));
  const stopped = stopSignal();
  const gateway = await Promise.race([start(config, options, { log, shell }), stopped]);
  if (gateway === undefined) {
    // Nobody was let in yet, so nothing is lost; and a journal that does not answer would keep the process.
    shell.tell('Stopped before the gateway was ready.');
    process.exit(EXIT.done);
  }
  const { address } = gateway;
  const noted = { url: gatewayUrl(address, address.secure), spaces: [...config.spaces.keys()] };
  const forget = noteGateway(guardsFolder(shell.env), noted);
  try {
    await serve(gateway, { config, options, stopped, shell, log });
  } finally {
    forget();
    await gateway.close();
  }
  shell.tell('Stopped.');
}

interface ServeContext {
  readonly config: GatewayConfig;
  readonly options: UpOptions;
  readonly stopped: Promise<void>;
  readonly shell: Shell;
  readonly log: Logger;
}

/** Says what there is, and resolves when it is told to stop. */
async function serve(
  gateway: Gateway,
  { config, options, stopped, shell, log }: ServeContext,
): Promise<void> {
  reportCutOff(gateway.dropped, 'dropped', shell);
  if (options.dev === true && options.config === undefined && existsSync(CONFIG_FILE)) {
    shell.tell(`${CONFIG_FILE} is ignored in dev mode; ${shell.name} up starts a gateway with it.`);
  }
  process.on('SIGHUP', () => reload(gateway, options, { started: config, shell, log }));
  const executor = config.dev ? await offerTools(gateway, config, shell) : undefined;
  shell.print(
    ...greet(gateway, config, {
      shell,
      tools: executor?.tools ?? [],
      ...(executor === undefined ? {} : { notes: executor.notes }),
    }),
  );
  const watching = new AbortController();
  const watch = config.dev
    ? printActivity(urlOf(gateway), config, { shell, signal: watching.signal })
    : undefined;
  await stopped;
  watching.abort();
  await watch;
  shell.tell('Stopping once requests in flight have finished. Press Ctrl-C again to stop at once.');
  await executor?.close();
}

async function start(
  config: GatewayConfig,
  options: UpOptions,
  { log, shell }: { readonly log: Logger; readonly shell: Shell },
): Promise<Gateway> {
  const { name } = shell;
  const isBuilt = existsSync(CONSOLE_FOLDER);
  if (!isBuilt) shell.tell('The console was not built, so it is not served. To build it: npm run build');
  const started = await startGateway({
    config,
    log,
    companions: [notifyCompanion, rulesCompanion],
    ...(isBuilt ? { console: CONSOLE_FOLDER } : {}),
  });
  if (started.ok) return started.value;
  const { code, details } = started.refusal;
  const message = withOption(started.refusal, options);
  const { journal } = config;
  const path = folderOf(journal);
  const folder = path === undefined ? '' : ` --data ${shellWord(path)}`;
  // Keeps the given options: the same command with one thing changed.
  const dev = options.dev === true ? ' --dev' : '';
  const configured = options.config === undefined ? '' : ` --config ${shellWord(options.config)}`;
  const again = `${name} up${dev}${configured}`;
  const port = options.port === undefined ? '' : ` --port ${options.port}`;
  const next: Readonly<Record<string, readonly string[]>> = {
    cannot_listen: [
      details['field'] === 'listen.grpc'
        ? `${again}${port} --grpc-port 0   # uses any free port for gRPC`
        : `${again} --port 0   # uses any free port`,
      `${name} doctor${configured}   # finds the cause`,
    ],
    journal_locked: [
      `${name} inbox${placeOf(config)}   # it may already be running`,
      `${again} --data FOLDER   # another journal`,
    ],
    unusable_folder: [
      `${again} --data FOLDER   # a folder that you can write to`,
      `${name} doctor${configured}${folder}   # finds the cause`,
    ],
    disk_full: [`${again} --data FOLDER   # a folder on another disk`],
    journal_damaged: [
      `${name} verify${folder}   # lists all the damage`,
      ...(path === undefined ? [] : [repairStep(path, shell)]),
    ],
  };
  throw new CommandFailure({ exit: EXIT.refused, code, message, details, next: next[code] ?? [] });
}

/** The options that reach a gateway with this configuration on this machine; empty if it uses any free port. */
function placeOf({ listen: { http }, tls }: GatewayConfig): string {
  if (http === undefined || http.port === 0) return '';
  return whereOptions({ url: gatewayUrl(http, tls !== undefined), space: 'main', given: {} });
}

/** The error, also naming the option: the gateway knows only the configuration key. */
function withOption(
  { message, details }: { readonly message: string; readonly details: JsonObject },
  { port, grpcPort }: UpOptions,
): string {
  const { field } = details;
  if (field === 'listen.http' && port !== undefined) {
    return message.replace(field, () => `--port ${port} (${field})`);
  }
  if (field === 'listen.grpc' && grpcPort !== undefined) {
    return message.replace(field, () => `--grpc-port ${grpcPort} (${field})`);
  }
  return message;
}

/** In dev mode something has to run approved calls. */
async function offerTools(gateway: Gateway, config: GatewayConfig, shell: Shell) {
  const notes = await mkdtemp(join(tmpdir(), 'proffer-notes-'));
  await writeFile(join(notes, SAMPLE_NOTE.name), SAMPLE_NOTE.text);
  const tools = sampleTools(notes, shell.now);
  const [space = 'main'] = config.spaces.keys();
  const { close } = await startExecutor({ url: urlOf(gateway), space, tools });
  return {
    async close() {
      await close();
      await rm(notes, { recursive: true, force: true });
    },
    notes,
    tools: tools.map(({ name }) => name),
  };
}

function urlOf({ address }: Gateway): string {
  return `${address.secure ? 'https' : 'http'}://${formatAddress(address)}`;
}

interface ReloadContext {
  readonly started: GatewayConfig;
  readonly shell: Shell;
  readonly log: Logger;
}

function reload(gateway: Gateway, options: UpOptions, { started, shell, log }: ReloadContext): void {
  try {
    const next = configure(options, shell, 'the old configuration stays in use');
    gateway.reload(next);
    log.info('configuration reloaded');
    const keys = restartNeeded(started, next);
    if (keys.length > 0) log.warn({ keys }, `restart the gateway to apply: ${keys.join(', ')}`);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    // An invalid configuration is not applied; the old one stays.
    log.error(
      { problems: error.failure.message },
      'configuration not reloaded; the old configuration stays in use',
    );
  }
}

/** In dev mode: prints the activity in every space, one line each, until the signal. Never fails. */
async function printActivity(
  url: string,
  { spaces }: Pick<GatewayConfig, 'spaces'>,
  { shell, signal }: { readonly shell: Shell; readonly signal: AbortSignal },
): Promise<void> {
  const watch = async (space: string): Promise<void> => {
    const connection = createConnection(
      { url, space, token: 'reviewer', assumed: false, given: {} },
      shell.name,
    );
    for await (const message of follow(connection, { after: 'now', signal })) {
      if (message.seq !== undefined) shell.print(logLine(message, shell));
    }
  };
  // The activity is only informative: a gateway without it works all the same.
  await Promise.allSettled(Array.from(spaces.keys(), watch));
}
