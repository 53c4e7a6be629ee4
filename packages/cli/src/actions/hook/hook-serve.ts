import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listAddresses } from '@proffer/client/http';
import { defined } from '@proffer/core/json';
import {
  AGENT_IDS,
  AGENTS,
  type AgentId,
  type HookPlace,
  type HookSettings,
  type Resident,
  readHookSettings,
  startResident,
} from '@proffer/hook';
import { createConnectedPaths } from '@proffer/hook/connect';
import { describeRulesNews, followRules } from '@proffer/steward';
import { defaultHookRules } from '@proffer/steward/guard';
import { credentialsFile } from '../../connection/credentials.js';
import { guardsFolder, homeOf } from '../../connection/guards-folder.js';
import { joinSpace } from '../../guard/join-space.js';
import { openMachineFolder, readNotify, userHere } from '../../guard/machine-folder.js';
import { loadRules, machineRules } from '../../rules/load-rules.js';
import { type Shell, stopSignal } from '../../terminal/shell.js';
import { visibleLine } from '../../terminal/visible.js';

/** Command-line options of `hook serve`. */
export interface HookServeOptions {
  readonly data?: string;
  readonly idle?: number;
}

/** An hour: the next call starts it again. */
const DEFAULT_IDLE = 3_600_000;

/** Answers the hooks of all agents of this user, until it has been idle for a while or is told to stop. */
export async function hookServe(
  { data, idle = DEFAULT_IDLE }: HookServeOptions,
  shell: Shell,
): Promise<void> {
  const { env } = shell;
  const home = homeOf(env);
  const stopped = stopSignal();
  const folder = data ?? guardsFolder(env);
  const machine = openMachineFolder(folder);
  const before = settingsIn(folder);
  const settings = readHookSettings(folder);
  const file = settings.rules ?? machineRules(folder);
  const log = (line: string): void =>
    shell.tell(`${new Date(shell.now()).toISOString()} proffer hook: ${visibleLine(line)}`);
  const rules = file === undefined ? defaultHookRules() : await loadRules(file);
  const live =
    file === undefined
      ? { current: rules, close: () => {} }
      : followRules(rules, (news) => {
          for (const line of describeRulesNews(news)) log(line);
          if (news.type === 'changed') started?.showRules();
        });
  let started: Resident | undefined;
  // Nothing would start it again for a phone, or for a hook over HTTP.
  const isLasting = settings.http !== undefined || settings.share !== undefined;
  const rest = createRest(isLasting ? Number.POSITIVE_INFINITY : idle);
  const folders = [
    folder,
    dirname(credentialsFile(env)),
    ...(env['PROFFER_HOME'] ? [env['PROFFER_HOME']] : []),
    ...installedIn(fileURLToPath(import.meta.url)),
  ];
  const files = [
    ...(file === undefined ? [] : [file]),
    ...AGENT_IDS.map((id) => AGENTS[id].settings.user(home, env)),
  ];
  const connected = createConnectedPaths(folder);
  const elsewhere = listAddresses(settings.gateway?.url ?? []).map((url) => Number(new URL(url).port));
  const resident = await startResident({
    folder,
    home,
    env,
    rules: live,
    guarded: () => ({
      folders,
      files: [...files, ...connected()],
      ports: [machine.readPort() ?? 7421, settings.http?.port ?? 7422, ...elsewhere].filter(
        (port) => port > 0,
      ),
    }),
    enter: hookPlaces(settings, folder, shell),
    isShared: settings.gateway === undefined,
    log,
    onCall: rest.stir,
    ...userHere(),
    ...defined({ http: settings.http, agentLists: settings.agentLists }),
  });
  if (resident === undefined) {
    live.close();
    return log("Another process is already answering this user's hooks.");
  }
  started = resident;
  log(`Rules: ${rules.source}.`);
  const sharing =
    settings.share === undefined
      ? undefined
      : (await import('../../share/share-from-guard.js')).shareFromGuard(settings.share, machine, {
          now: shell.now,
          log,
        });
  const changed = settingsChange(folder, before, resident);
  const why = await Promise.race([stopped, rest.over, changed]);
  await sharing?.close();
  await resident.close();
  live.close();
  if (why !== 'changed') return;
  log('The hook settings changed; restarting.');
  const [program = '', ...args] = process.argv.slice(1);
  spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).unref();
}

/** The folder that Proffer is installed in; none for a clone, where someone is working. */
function installedIn(file: string): readonly string[] {
  const [, installed] = /^(.*[\\/]node_modules[\\/]@proffer)[\\/]/.exec(file) ?? [];
  return installed === undefined ? [] : [installed];
}

/** How often the settings are checked, in milliseconds. */
const POLL_INTERVAL = 1_000;

/** Resolves when the settings have changed and no call is waiting for an answer. */
function settingsChange(folder: string, before: string, resident: Resident): Promise<'changed'> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = settingsIn(folder);
      if (resident.waiting() > 0 || now === '' || now === before) return;
      clearInterval(timer);
      resolve('changed');
    }, POLL_INTERVAL).unref();
  });
}

/** Everything that is read once, at startup. Unreadable files do not cause a restart. */
function settingsIn(folder: string): string {
  try {
    return JSON.stringify([readHookSettings(folder), machineRules(folder) ?? null, readNotify(folder)]);
  } catch {
    return '';
  }
}

/** Resolves after a period without activity. */
function createRest(idle: number): { readonly over: Promise<void>; readonly stir: () => void } {
  const resting = new EventTarget();
  const over = new Promise<void>((resolve) => {
    resting.addEventListener('over', () => resolve(), { once: true });
  });
  let timer: NodeJS.Timeout | undefined;
  const stir = (): void => {
    clearTimeout(timer);
    if (Number.isFinite(idle))
      timer = setTimeout(() => resting.dispatchEvent(new Event('over')), idle).unref();
  };
  stir();
  return { over, stir };
}

/**
 * How agents enter a space: each under its own name in the guards' shared gateway, or all under the name of a
 * token in another gateway.
 *
 * @param data - the guards' folder
 */
export function hookPlaces(
  { gateway }: HookSettings,
  data: string,
  shell: Shell,
): (agent: AgentId) => Promise<HookPlace> {
  if (gateway === undefined) return (agent) => joinSpace({ data }, { name: agent }, shell);
  let place: Promise<HookPlace> | undefined;
  return (agent) => {
    place ??= joinSpace({ ...gateway, data }, { name: agent }, shell);
    place.catch(() => {
      place = undefined;
    });
    return place;
  };
}
