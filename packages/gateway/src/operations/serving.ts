import { type Envelope, type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import type { SpacePeers } from '../peers/index.js';

/** A connection that serves, or may. */
export interface Server {
  isOpen: boolean;
  /** The same for a client that came back before the gateway noticed that it was gone. */
  readonly instance: string | undefined;
}

/** Through which connection each participant serves. */
export interface Serving {
  /**
   * A participant that serves through two connections would run every operation twice (O-12): the second one is refused
   * as long as the first is open, also at another gateway.
   */
  check(envelope: Envelope, server: Server): Refusal | undefined;
  /** A participant that is connected to another gateway. */
  elsewhere(name: string): {
    /** By which of its processes it serves there, if it does; empty where that is not known. */
    update(instance: string | undefined): void;
    end(): void;
  };
}

export function createServing(peers: SpacePeers | undefined): Serving {
  /** By participant: the connection that announced last what it serves. */
  const servers = new Map<string, Server>();
  return {
    check({ kind, from }, server) {
      // Whoever tells of its rules serves nothing by that.
      if (!kind.startsWith('mcpx.announce.') || kind === 'mcpx.announce.rules') return undefined;
      const other = servers.get(from);
      const isRival = other?.isOpen === true && other !== server;
      if (isRival && (other.instance === undefined || other.instance !== server.instance)) {
        return refuse('already_serving', `${quote(from)} already serves through another connection.`, {
          participant: from,
        });
      }
      if (!server.isOpen) return undefined;
      servers.set(from, server);
      peers?.serves(from, server.instance);
      return undefined;
    },
    elsewhere(name) {
      let server: Server | undefined;
      const end = (): void => {
        if (server !== undefined) server.isOpen = false;
      };
      return {
        update(instance) {
          if (instance === undefined) return;
          end();
          server = { isOpen: true, instance: instance === '' ? undefined : instance };
          servers.set(name, server);
        },
        end,
      };
    },
  };
}
