import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { ParticipantState } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { GatewayConfig } from './config/index.js';
import type { StoredOperation } from './delivery/index.js';
import type { OnBehalf } from './transports/index.js';

/** Where a listener can be reached. */
export interface ServedAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** What a companion may know and use. */
export interface CompanionContext extends OnBehalf {
  readonly config: GatewayConfig;
  readonly journal: Journal;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Logger;
  /** Where HTTP and WebSocket are served. */
  readonly address: ServedAddress;
  /** The companion's metrics appear at `/metrics`. */
  readonly registry: Registry;
}

/** The answer of a hook, or a refusal, which is counted and worded like every other. */
export type HookAnswer =
  | { readonly status: number; readonly body?: JsonObject; readonly refused?: never }
  | { readonly refused: Refusal };

/** A request posted to a hook. */
export interface HookRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Handles `POST /hooks/NAME`. The caller is unauthenticated until the companion identifies it. */
export interface Hook {
  readonly name: string;
  readonly answer: (request: HookRequest) => Promise<HookAnswer>;
}

/** A participant's request to a companion, in a space that it may enter. */
export interface SpaceRequest {
  readonly space: string;
  readonly participant: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Whether the participant may currently send messages of this kind. */
  readonly may: (kind: string) => boolean;
  /** The `seq` of the newest message. */
  readonly seq: number;
  /** The records after a `seq`, as far as the participant may see them. */
  readonly history: (after: number) => AsyncIterable<StoredOperation>;
  /** Everyone who ever sent something, with what is known about them. */
  readonly participants: () => Iterable<ParticipantState>;
  readonly isConnected: (participant: string) => boolean;
}

/** Handles requests at `/spaces/{space}` and the path, counted as a message of the caller. */
export interface SpaceRoute {
  readonly method: 'GET' | 'POST';
  /** Such as `/rules`. */
  readonly path: string;
  readonly answer: (request: SpaceRequest) => Promise<HookAnswer>;
}

/** One or several running companions. */
export interface RunningCompanions {
  /** The current HTTP handlers. */
  readonly hooks?: () => readonly Hook[];
  readonly routes?: () => readonly SpaceRoute[];
  /** Applies a new configuration. */
  reload(config: GatewayConfig): void;
  /** Stops; called while the journal is still open. */
  close(): Promise<void>;
}

/**
 * A program that runs next to a gateway and follows its journal, such as the notifier. It is started when
 * everything is ready, adds no cost to messages, and reports its own failures.
 */
export type Companion = (context: CompanionContext) => Promise<RunningCompanions>;

/** Starts all of them. If one cannot be started, none is left running. */
export async function startCompanions(
  companions: readonly Companion[],
  context: CompanionContext,
): Promise<RunningCompanions> {
  const started = await Promise.allSettled(companions.map((start) => start(context)));
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await Promise.allSettled(running.map((companion) => companion.close()));
    throw failed.reason;
  }
  return {
    hooks: () => running.flatMap(({ hooks }) => hooks?.() ?? []),
    routes: () => running.flatMap(({ routes }) => routes?.() ?? []),
    reload: (config) => {
      for (const companion of running) companion.reload(config);
    },
    close: async () => {
      await Promise.all(running.map((companion) => companion.close()));
    },
  };
}
