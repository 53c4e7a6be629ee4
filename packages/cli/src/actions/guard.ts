import { resolve } from 'node:path';
import { guardsFolder, watchingSince } from '@proffer/client/machine';
import type { Participant } from '@proffer/client/participation';
import { defined } from '@proffer/core/json';
import {
  createCallJournal,
  createClientStdio,
  createPinFile,
  createProposalArchive,
  createReturningServer,
  Guard,
  type GuardOptions,
  hasLeft,
  type JsonRpcChannel,
  type RecordedDecisions,
  reportLostCalls,
  serverInfoIn,
} from '@proffer/mcp';
import type { StartupProxy } from '@proffer/mcp/stdio';
import {
  defaultRules,
  describeRulesNews,
  followRules,
  type LiveRules,
  publishRules,
  type RulesNews,
  rulesDecider,
} from '@proffer/steward';
import { openDisk, placesOf } from '@proffer/steward/disk';
import { trustsHints } from '@proffer/steward/guard';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { homeOf } from '../connection/guards-folder.js';
import { checkForwarding } from '../guard/forwarding.js';
import { checkGiven } from '../guard/given-gateway.js';
import { type JoinedSpace, type JoinSpaceOptions, joinSpace } from '../guard/join-space.js';
import { noteHere } from '../guard/note-here.js';
import { serveHttp, serveStdio } from '../guard/serve-clients.js';
import { type ServerOptions, type ServerTarget, serverBehind } from '../guard/server-behind.js';
import { loadRules, machineRules } from '../rules/load-rules.js';
import { shareAddress } from '../share/address.js';
import { openBrowser } from '../terminal/open-browser.js';
import type { Environment, Shell } from '../terminal/shell.js';
import { visible, visibleLine } from '../terminal/visible.js';

/** Command-line options of `guard`. */
export interface GuardCommandOptions extends JoinSpaceOptions, ServerOptions {
  readonly name?: string;
  /** The server's name in the settings of the client. */
  readonly knownAs?: string;
  readonly rules?: string;
  /** Whether to ask nobody, and only record what you would have been asked. */
  readonly watch?: boolean;
  readonly ttl?: number;
  readonly hold?: number;
  readonly window?: number;
  readonly http?: number;
  readonly httpToken?: readonly string[];
  readonly forwardAuthorization?: boolean;
  readonly record: RecordedDecisions;
  /** Whether to hide the rules from the space. */
  readonly hideRules?: boolean;
  /** Whether to open the browser when the first call is held. */
  readonly open?: boolean;
  /** Where phones find the inbox; true for the machine's address in the local network. */
  readonly share?: string | true;
}

/** What existed before this module was loaded. */
interface Begun {
  readonly shell: Shell;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<void>;
  /** The client and the server, if they use stdio. */
  readonly startup: StartupProxy | undefined;
}

/** Runs between a client and a server until one of them ends or it is told to stop. */
export async function guard(
  command: readonly string[],
  options: GuardCommandOptions,
  { shell, stopped, startup }: Begun,
): Promise<void> {
  const reached = await serverBehind(command, options, `${shell.name} guard`);
  const shared = resolve(options.data ?? guardsFolder(shell.env));
  const file = options.rules ?? machineRules(shared);
  const rules = file === undefined ? defaultRules() : await loadRules(file);
  const isWatching = (): boolean => options.watch === true || watchingSince(shared) !== undefined;
  /** Our own lines, also the link to sign in with. */
  const say = (line: string): void => shell.tell(`proffer guard: ${visible(line)}`);
  const log = (line: string): void => shell.tell(`proffer guard: ${visibleLine(line)}`);
  const server = options.name ?? reached.name;
  const { isProcess } = reached;
  const openServer = startup === undefined ? reached.open : firstOf(startup.back, reached.open);
  const openFor: ServerTarget['open'] = isProcess
    ? openServer
    : (credential) => createReturningServer({ openServer: () => openServer(credential), log });
  checkForwarding(options);
  checkSharing(options, shell.name);
  const target = { ...reached, open: reportName(openFor, { name: server, log }) };
  await checkGiven(options, shell);
  const place = await joinSpace(options, { name: server, identity: target.identity }, shell);
  const live =
    file === undefined
      ? { current: rules, close: () => {} }
      : followRules(rules, (news) => {
          printNews(news, place, log);
          if (news.type === 'changed') show(news.rules);
        });
  function show(current: LiveRules['current']): void {
    if (options.hideRules === true) return;
    void publishRules(place.participant, current, { owner: 'guard', onProblem: log });
  }
  try {
    const decide = isProcess ? decideHere(rulesDecider(live), homeOf(shell.env)) : rulesDecider(live);
    const hints = (): boolean | undefined => trustsHints(live.current.hints, server);
    const { identity, source } = target;
    const about = { server, identity, source, hints, decide, isWatching, options, output: shell.stdout, log };
    const guarding = await startGuard(place, about);
    show(live.current);
    const onReady = (): void => {
      log(`${server} is guarded, as ${place.participant.name}. Rules: ${rules.source}.`);
      if (isWatching())
        return log(`This guard is in watch mode: nobody is asked. What it saw:  ${shell.name} watch`);
      say(`to approve, in a browser:   ${place.link()}`);
      log(`to approve, in a terminal:  ${place.inbox}`);
    };
    const sharing = await share(options, place, { shell, log });
    if (wantsBrowser(options.open, shell.env)) openWhenHeld(place, { env: shell.env, log: say });
    const { http: port, httpToken: tokens } = options;
    const forget = noteHere(place.folder.path, place.participant.name, options);
    try {
      if (port === undefined) {
        const front = startup?.front ?? createClientStdio(shell.stdin, shell.stdout);
        await serveStdio(guarding, target, { front, stopped, onReady });
      } else
        await serveHttp(guarding, target, {
          port,
          stopped,
          log,
          onReady,
          ...defined({ tokens }),
          ...(options.forwardAuthorization === true ? { upstream: target.auth } : {}),
        });
    } finally {
      forget();
      await sharing?.close();
      await guarding.close();
    }
  } finally {
    live.close();
    await place.participant.close();
    await place.close();
  }
}

/** Devices pair with the guards' shared gateway, not with one that has its own sign-in. */
function checkSharing({ share: asked, url, gateway }: GuardCommandOptions, program: string): void {
  if (asked === undefined) return;
  if (url !== undefined || gateway !== undefined)
    throw usageFailure(
      "--share is for the gateway that this machine's guards share, so it cannot be used with --url.",
    );
  try {
    shareAddress(asked);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = [`${program} guard --share -- COMMAND…   # with -- before the command`];
    throw new CommandFailure({ ...error.failure, next: [...(error.failure.next ?? []), ...next] }, error);
  }
}

async function share(
  { share: asked }: GuardCommandOptions,
  { folder }: JoinedSpace,
  { shell: { now }, log }: { readonly shell: Shell; readonly log: (line: string) => void },
): Promise<{ close(): Promise<void> } | undefined> {
  if (asked === undefined) return undefined;
  const { shareFromGuard } = await import('../share/share-from-guard.js');
  return shareFromGuard(asked, folder, { now, log });
}

/** Uses the server that was already started; opens any later one. */
function firstOf(started: JsonRpcChannel, open: ServerTarget['open']): ServerTarget['open'] {
  let first: JsonRpcChannel | undefined = started;
  return () => {
    const one = first ?? open();
    first = undefined;
    return one;
  };
}

async function startGuard(
  place: JoinedSpace,
  about: Required<
    Pick<GuardOptions, 'server' | 'identity' | 'source' | 'hints' | 'decide' | 'isWatching'>
  > & {
    readonly options: GuardCommandOptions;
    readonly output: Shell['stdout'];
    readonly log: (line: string) => void;
  },
): Promise<Guard> {
  const { server, identity, source, hints, decide, isWatching, output, log } = about;
  const { ttl, hold, window, record, http } = about.options;
  const { participant, folder } = place;
  const pins = folder.pinFile(server, source);
  participant.on('error', (error) => log(error instanceof Error ? error.message : String(error)));
  const archive = createProposalArchive(place.access);
  await reportLostCalls(participant, archive);
  return await Guard.start({
    participant,
    archive,
    pins: createPinFile(pins.file, pins.known),
    journal: createCallJournal(folder.callJournal(server), {
      earlierFile: folder.deliveryFile(server),
      onFault: (error) => log(`The call journal cannot be used: ${String(error)}`),
      // Over HTTP each answer has its own connection, and counts once it was sent there.
      ...(http === undefined ? { hasLeft: () => hasLeft(output) } : {}),
    }),
    server,
    identity,
    source,
    hints,
    decide,
    isWatching,
    recorded: record,
    log,
    ...defined({ ttl, holdFor: hold, window }),
  });
}

/** Shown to the operator, and in the history for reviewers. */
function printNews(news: RulesNews, { participant }: JoinedSpace, log: (line: string) => void): void {
  const lines = describeRulesNews(news);
  for (const line of lines) log(line);
  const payload = { text: lines.join('\n').slice(0, MAX_NEWS), format: 'plain' };
  participant.send({ kind: 'chat.message', payload }).catch((error: unknown) => {
    log(`The space could not be notified: ${error instanceof Error ? error.message : String(error)}`);
  });
}

const MAX_NEWS = 4_000;

/** Decides about a server that runs on this machine: rules about paths see where links lead. */
function decideHere(decide: GuardOptions['decide'], home: string): GuardOptions['decide'] {
  const folder = process.cwd();
  return (call) => {
    const disk = openDisk();
    return decide({ ...call, locate: (path) => placesOf(path, { home, folder, disk }).paths });
  };
}

/**
 * Reports once what a server calls itself. The guard does not use that name: rules and trusted tools refer to
 * a name that the operator chooses, not the server.
 */
function reportName(
  open: ServerTarget['open'],
  { name, log }: { readonly name: string; readonly log: (line: string) => void },
): ServerTarget['open'] {
  let said: string | undefined;
  return (credential) => {
    const channel = open(credential);
    return {
      ...channel,
      open: (events) =>
        channel.open({
          ...events,
          onMessage(message, text) {
            const info = said === undefined ? serverInfoIn(message) : undefined;
            if (info !== undefined) {
              said = info;
              log(`${name} calls itself ${JSON.stringify(info)}.`);
            }
            events.onMessage(message, text);
          },
        }),
    };
  };
}

/** Whether to open the browser: as the command line says, else PROFFER_OPEN. */
function wantsBrowser(open: boolean | undefined, env: Environment): boolean {
  const preset = env['PROFFER_OPEN'] ?? '';
  return open ?? (preset !== '' && preset !== '0');
}

/**
 * Opens the inbox in the browser when the first call is held and no connected participant could decide it. A
 * client hides what a guard prints, so this is how its user finds out. The call is not affected if it cannot
 * be opened.
 */
function openWhenHeld(
  { participant, link }: Pick<JoinedSpace, 'participant' | 'link'>,
  { env, log }: { readonly env: Environment; readonly log: (line: string) => void },
): void {
  const stop = participant.on('message', ({ kind, from, payload }) => {
    const isHeld = kind.startsWith('mcp.proposal.') && payload['grant'] === undefined;
    if (!isHeld || from !== participant.name) return;
    stop();
    if (!isSomebodyThere(participant)) void open();
  });

  async function open(): Promise<void> {
    try {
      const trouble = await openBrowser(link(), env);
      if (trouble !== undefined) log(`The browser cannot be opened: ${trouble}. The inbox: ${link()}`);
    } catch (error) {
      log(`The inbox cannot be opened: ${String(error)}`);
    }
  }
}

/** Guards and stewards do not look at an inbox. */
function isSomebodyThere({ participants }: Participant): boolean {
  return participants.some(({ id }) => id === 'reviewer');
}
