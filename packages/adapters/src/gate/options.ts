import { randomUUID } from 'node:crypto';
import type { ConnectOptions } from '@proffer/client';
import { guardsFolder, watchingSince } from '@proffer/client/machine';
import { defined, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { findGateway, type GatewayTarget, isGatewayGiven } from './gateway-target.js';
import type { AskedAt } from './link.js';

export interface GateOptions {
  /** The agent's name, shown to the reviewer. */
  readonly agent: string;
  readonly version?: string;
  /**
   * The gateway; several that share a journal as a list or separated by commas. Default `PROFFER_URL`;
   * else the one shared by this machine's guards and hooks, if it runs; else one in dev mode,
   * `ws://127.0.0.1:7420`.
   */
  readonly url?: ConnectOptions['url'];
  /**
   * Default `PROFFER_TOKEN`. The gateway shared by guards and hooks needs none, and in dev mode it is
   * the agent's name. With a token and no `url`, the shared gateway is not used. The participant needs
   * `runs_own_calls`, which every name has in dev mode except `agent`, `reviewer`, `steward` and
   * `tools`.
   */
  readonly token?: ConnectOptions['token'];
  /** Default `PROFFER_SPACE`, else `main`. */
  readonly space?: string;
  /**
   * The conversation, run or job that the calls belong to. Pass the same after a restart to find what
   * was asked before; the default is a new one for each gate.
   */
  readonly session?: string;
  /** The agent's working folder. Default: the working directory of the process. */
  readonly folder?: string;
  /** The person the agent works for. */
  readonly user?: string;
  /** Milliseconds that a call waits for a decision. Default: the space's setting. */
  readonly ttl?: number;
  /**
   * Milliseconds in which the gateway must accept a question; otherwise the call is not run. Default 10
   * 000.
   */
  readonly timeout?: number;
  /**
   * `watch`: asks nobody and holds nothing; every call runs, and what would have been asked is recorded. Default `ask`, or
   * `watch` while everything on this machine watches and no gateway was named.
   */
  readonly mode?: 'ask' | 'watch';
  /** Which calls to ask about. Default all; if the function throws, the call is asked about. */
  readonly needsApproval?: (call: {
    readonly tool: string;
    readonly arguments: JsonObject;
  }) => boolean | Promise<boolean>;
  /**
   * Called once for each gateway when a call waits there for a decision. Default: prints on standard error where it waits and
   * how to open the inbox.
   */
  readonly onWaiting?: (tool: string, at: AskedAt) => void;
  /** Reconnect settings and additional certificate authorities, as for `connect`. */
  readonly retry?: ConnectOptions['retry'];
  readonly ca?: string;
}

export interface GateSettings {
  /** Where to ask; resolved for each connection. */
  readonly target: () => Promise<GatewayTarget>;
  readonly session: string;
  readonly origin: Omit<Origin, 'session'>;
  readonly ttl: number | undefined;
  readonly timeout: number;
  readonly needsApproval: NonNullable<GateOptions['needsApproval']>;
  readonly onWaiting: NonNullable<GateOptions['onWaiting']>;
  /** Whether calls are only watched now (O-50). */
  readonly isWatching: () => boolean;
}

const LONGEST_NAME = 200;
const LONGEST_FOLDER = 1_000;

/** Options with everything that was left out filled in from the environment. */
export function completeOptions(options: GateOptions): GateSettings {
  const { agent, version, user, folder = process.cwd(), session = randomUUID(), retry, ca } = options;
  const { timeout = 10_000, ttl, needsApproval = () => true, onWaiting = printWaiting } = options;
  return {
    target: async () => ({ ...(await findGateway(options)), timeout, ...defined({ retry, ca }) }),
    session,
    origin: {
      client: agent.slice(0, LONGEST_NAME),
      ...(version === undefined ? {} : { version: version.slice(0, LONGEST_NAME) }),
      ...(user === undefined ? {} : { user: user.slice(0, LONGEST_NAME) }),
      folder: folder.slice(0, LONGEST_FOLDER),
    },
    ttl,
    timeout,
    needsApproval,
    onWaiting,
    isWatching: () => {
      if (options.mode !== undefined) return options.mode === 'watch';
      return !isGatewayGiven(options) && watchingSince(guardsFolder(process.env)) !== undefined;
    },
  };
}

function printWaiting(tool: string, { url, inbox }: AskedAt): void {
  process.stderr.write(
    `Proffer: ${JSON.stringify(tool)} is waiting for a decision at ${url}. To open the inbox: ${inbox}\n`,
  );
}
