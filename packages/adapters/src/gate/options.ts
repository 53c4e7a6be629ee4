import { randomUUID } from 'node:crypto';
import type { ConnectOptions } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { findPlace, type Place } from './place.js';

export interface GateOptions {
  /** The agent's name, shown to the reviewer. */
  readonly agent: string;
  readonly version?: string;
  /**
   * The gateway; several that share a journal in a list or with commas between them. Default `PROFFER_URL`; else the one that the guards and hooks of this machine share, if it runs; else one
   * in dev mode, `ws://127.0.0.1:7420`.
   */
  readonly url?: ConnectOptions['url'];
  /**
   * Default `PROFFER_TOKEN`. The gateway that guards and hooks share needs none, and in dev mode it is the agent's name.
   * With a token and no `url`, the shared gateway is not looked for. The participant needs
   * `runs_own_calls`, which every name has in dev mode except `agent`, `reviewer`, `steward` and `tools`.
   */
  readonly token?: ConnectOptions['token'];
  /** Default `PROFFER_SPACE`, else `main`. */
  readonly space?: string;
  /**
   * Which conversation, run or job the calls belong to. Give the same after a restart to find what was asked before;
   * the default is a new one for each gate.
   */
  readonly session?: string;
  /** The folder that the agent works in. Default the working directory of the process. */
  readonly folder?: string;
  /** The person that the agent works for. */
  readonly user?: string;
  /** Milliseconds that a call waits for a decision. Default what the space says. */
  readonly ttl?: number;
  /** Milliseconds in which the gateway must have taken a question; then the call is not run. Default 10 000. */
  readonly timeout?: number;
  /** Which calls to ask about. Default all; one that it fails on is asked about. */
  readonly needsApproval?: (call: {
    readonly tool: string;
    readonly arguments: JsonObject;
  }) => boolean | Promise<boolean>;
  /** How to reconnect, and certificate authorities to trust as well, as for `connect`. */
  readonly retry?: ConnectOptions['retry'];
  readonly ca?: string;
}

export interface GateSettings {
  /** Where to ask; looked up for each connection. */
  readonly place: () => Promise<Place>;
  readonly session: string;
  readonly origin: Omit<Origin, 'session'>;
  readonly ttl: number | undefined;
  readonly timeout: number;
  readonly needsApproval: NonNullable<GateOptions['needsApproval']>;
}

const LONGEST_NAME = 200;
const LONGEST_FOLDER = 1_000;

/** Options with everything that was left out, from the environment. */
export function completeOptions(options: GateOptions): GateSettings {
  const { agent, version, user, folder = process.cwd(), session = randomUUID(), retry, ca } = options;
  const { timeout = 10_000, ttl, needsApproval = () => true } = options;
  return {
    place: async () => ({
      ...(await findPlace(options)),
      timeout,
      ...(retry === undefined ? {} : { retry }),
      ...(ca === undefined ? {} : { ca }),
    }),
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
  };
}
