import type { JsonObject } from '@proffer/core/json';
import { type HookAgent, type HookEntry, ourEvents } from '../agents/index.js';
import { isReport, type WhenUnavailable } from '../launch/index.js';
import { HOOK_PATH } from '../resident/index.js';

/**
 * How much longer than a person's time limit an agent waits for its hook, in seconds: the answer
 * comes before the agent gives up.
 */
const MARGIN = 15;

/** How long an agent waits for a hook that it reports to, in seconds; usually a moment. */
const REPORTING = 30;

export interface HookCommandOptions {
  /** How the launcher is invoked: a program and its arguments. */
  readonly launcher: readonly string[];
  /** A person's time limit, in seconds. */
  readonly wait: number;
  readonly otherwise: WhenUnavailable;
  /** Only the events in which the agent would ask its own user. */
  readonly onlyPrompts: boolean;
  /** The guards' folder, if not the default. */
  readonly data?: string;
  readonly http?: { readonly port: number; readonly token: string };
}

/** The entries for an agent's settings. */
export function hookEntries(agent: HookAgent, options: HookCommandOptions): readonly HookEntry[] {
  const { wait, otherwise, onlyPrompts, http } = options;
  const events = onlyPrompts ? agent.events.slice(1) : agent.events;
  const entries = [...events, ...agent.reports].map((event): HookEntry => {
    const timeout = isReport(event) ? REPORTING : wait + MARGIN;
    if (http === undefined) return { event, timeout, command: commandLine(agent, event, options) };
    const query = `wait=${wait}&otherwise=${otherwise}`;
    const url = `http://127.0.0.1:${http.port}${HOOK_PATH}${agent.id}/${event}?${query}`;
    return { event, timeout, http: { url, token: http.token } };
  });
  // HTTP hooks need a running process: the start of a session ensures that.
  const start = { event: 'SessionStart', timeout: 30, command: commandLine(agent, 'SessionStart', options) };
  return http === undefined ? entries : [start, ...entries];
}

function commandLine(agent: HookAgent, event: string, options: HookCommandOptions): string {
  const { launcher, wait, otherwise, data } = options;
  const words = [
    ...launcher,
    agent.id,
    event,
    '--wait',
    String(wait),
    ...(otherwise === 'ask' ? [] : ['--otherwise', otherwise]),
    ...(data === undefined ? [] : ['--data', data]),
  ];
  return words.map(quoted).join(' ');
}

/** Quotes a word for `sh` and for the shells of Windows, which treat double quotes alike. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll(/(["\\$`])/g, '\\$1')}"`;
}

/**
 * The events in which an agent would report how calls ended, and for which its settings have no hook although it asks
 * Proffer: they were installed by an earlier version. Its calls stay "allowed" until their time is up (O-46).
 */
export function missingReports({ events, reports }: HookAgent, settings: JsonObject): readonly string[] {
  const installed = ourEvents(settings);
  if (!events.some((event) => installed.includes(event))) return [];
  return reports.filter((event) => !installed.includes(event));
}
