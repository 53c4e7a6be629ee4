import { join } from 'node:path';
import { watchingSince } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { lockFile, makeFolder } from '@proffer/journal';
import { openDisk } from '@proffer/steward/disk';
import { createRuleUsage } from '@proffer/steward/guard';
import { AGENT_IDS, AGENTS } from '../agents/index.js';
import type { Protected } from '../decide/index.js';
import { socketIn } from '../launch/index.js';
import { PERMISSION_FILES } from '../permissions/index.js';
import { type AgentConnectionsOptions, createAgentConnections } from './agent-connections.js';
import { type AnswerEvent, createAnswerEvent } from './answer-event.js';
import type { AskResult } from './ask-people.js';
import { createGuardedServers } from './guarded-servers.js';
import { type HookSettings, hookFolder } from './hook-settings.js';
import { startHttpServer } from './http-server.js';
import { createOwnLists } from './own-lists.js';
import { startSocketServer } from './socket-server.js';
import { createWithServer } from './with-server.js';

export interface ResidentOptions extends AgentConnectionsOptions {
  /** The guards' folder. */
  readonly folder: string;
  readonly home: string;
  /** The environment in which agents look for their settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What no agent may touch, besides the settings of hooks. */
  readonly guarded: () => Omit<Protected, 'endings'>;
  readonly http?: NonNullable<HookSettings['http']>;
  /** Whether hooks ask in the gateway that the guards on this machine share. */
  readonly isShared: boolean;
  /** Whether the agents' own lists of what they may do count. Default true. */
  readonly agentLists?: boolean;
  /** Called for every call. */
  readonly onCall?: () => void;
}

/** The process that answers the hooks of all agents of a user on this machine. */
export interface Resident {
  /** Where HTTP hooks are served, if they are. */
  readonly httpPort?: number;
  /** How many calls are waiting for an answer. */
  waiting(): number;
  /** Publishes the rules again: they changed. */
  showRules(): void;
  close(): Promise<void>;
}

/** Starts it; `undefined` if it is already running elsewhere. */
export async function startResident(options: ResidentOptions): Promise<Resident | undefined> {
  const { folder, home, env, rules, http, onCall = () => {}, log } = options;
  makeFolder(hookFolder(folder));
  const lock = await lockFile(join(hookFolder(folder), 'lock'));
  if (!('release' in lock)) return undefined;
  const connections = createAgentConnections(options);
  const usage = createRuleUsage();
  const endings = AGENT_IDS.flatMap((id) => AGENTS[id].settings.all);
  const lists = AGENT_IDS.flatMap((id) => PERMISSION_FILES[id]({ home, env, folder: home }))
    .map(({ path }) => path)
    .filter((path) => !endings.some((ending) => path.endsWith(`/${ending}`)));
  const own = options.agentLists === false ? undefined : createOwnLists({ home, env });
  const guardedNow = (): Protected => {
    const { files, ...rest } = options.guarded();
    return { ...rest, files: [...files, ...lists], endings };
  };
  let waiting = 0;
  const answer = createAnswerEvent({
    withServer: createWithServer({ home, env }),
    isGuarded: options.isShared ? createGuardedServers(folder) : () => false,
    grounds: () => ({
      rules: rules.current,
      usage,
      guarded: guardedNow(),
      ...defined({ own }),
      home,
      disk: openDisk(),
      time: Date.now(),
    }),
    ask: async (call, about) => {
      try {
        const { people } = await connections.open(call.agent);
        return await people.ask(call, about);
      } catch (error) {
        return unavailable(error);
      }
    },
    report: (call, report) => {
      // Not awaited; failures are logged.
      connections
        .open(call.agent)
        .then(({ people, found }) => found.then(() => people.report(call, report)))
        .catch((error: unknown) =>
          log(`${call.agent}: ${error instanceof Error ? error.message : String(error)}`),
        );
    },
    isWatching: () => watchingSince(folder) !== undefined,
    observe: ({ agent, tool, arguments: given }, { decision, watched }) => {
      // Not awaited; failures are logged.
      connections.open(agent).then(
        ({ records }) => records.note({ tool, arguments: given, decision, watched }),
        () => {},
      );
    },
    note: ({ agent, tool, arguments: given }, decision) => {
      // Not awaited; failures are logged.
      connections.open(agent).then(
        ({ records }) => records.note({ tool, arguments: given, decision }),
        () => {},
      );
    },
  });
  const counted: AnswerEvent = async (bytes, asking) => {
    waiting++;
    try {
      return await answer(bytes, asking);
    } finally {
      waiting--;
    }
  };
  const sockets = await startSocketServer(socketIn(folder), counted, onCall);
  const web = http === undefined ? undefined : await startHttpServer({ ...http, answer: counted, onCall });
  log(`Serving the hooks of agents on ${socketIn(folder)}.`);
  return {
    ...(web === undefined ? {} : { httpPort: web.port }),
    waiting: () => waiting,
    showRules: () => connections.showRules(),
    async close() {
      await sockets.close();
      await web?.close();
      await connections.close();
      await lock.release();
    },
  };
}

function unavailable(error: unknown): AskResult {
  const why = error instanceof Error ? error.message : String(error);
  return {
    outcome: { type: 'undecided', reason: `Proffer could not ask anyone: ${why}` },
    delivered: () => {},
  };
}
