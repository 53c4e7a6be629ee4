import { type Envelope, type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import type { SpacePeers } from '../peers/index.js';

/** A connection that serves, or may. */
export interface ServingConnection {
  isOpen: boolean;
  /** The client's process: equal for a client that reconnected before the gateway noticed its loss. */
  readonly instance: string | undefined;
}

/** Whether a message announces what its sender serves. Publishing rules is not serving. */
export function announcesService({ kind }: Envelope): boolean {
  return kind.startsWith('mcpx.announce.') && kind !== 'mcpx.announce.rules';
}

/** Through which connection each participant serves. */
export interface ServingConnections {
  /**
   * Makes a connection the serving one, from its announcement on. A participant that serves through two
   * connections would run every operation twice (O-12): the second one is refused while the first is open,
   * also at another gateway.
   */
  check(envelope: Envelope, server: ServingConnection): Refusal | undefined;
  /** A connection of a participant ended. */
  ended(name: string, server: ServingConnection): void;
  /** A participant that is connected to another gateway. */
  elsewhere(name: string): {
    /** The process that serves there, empty if unknown; absent: it does not serve. */
    update(instance: string | undefined): void;
    end(): void;
  };
}

export function createServing(peers: Pick<SpacePeers, 'serves'> | undefined): ServingConnections {
  /** By participant: the connections that announced services, and whether they are connected here. */
  const servers = new Map<string, Map<ServingConnection, boolean>>();

  function add(name: string, server: ServingConnection, isHere: boolean): void {
    const known = servers.get(name);
    if (known === undefined) servers.set(name, new Map([[server, isHere]]));
    else known.set(server, isHere);
  }

  function remove(name: string, server: ServingConnection): void {
    const known = servers.get(name);
    known?.delete(server);
    if (known?.size === 0) servers.delete(name);
  }

  function ended(name: string, server: ServingConnection): void {
    if (servers.get(name)?.has(server) !== true) return;
    remove(name, server);
    // The same client may have reconnected before this connection ended.
    const [left] = [...(servers.get(name) ?? [])].flatMap(([other, isHere]) => (isHere ? [other] : []));
    peers?.serves(name, left === undefined ? undefined : (left.instance ?? ''));
  }

  return {
    check({ from }, server) {
      const others = [...(servers.get(from)?.keys() ?? [])];
      const rivals = others.filter((other) => other !== server && other.isOpen);
      const isRefused = rivals.some(({ instance }) => instance === undefined || instance !== server.instance);
      if (isRefused) {
        // Decided again after a conflict: both announced at the same time, at two gateways, and the other was
        // first.
        ended(from, server);
        return refuse('already_serving', `${quote(from)} already serves through another connection.`, {
          participant: from,
        });
      }
      if (!server.isOpen) return undefined;
      add(from, server, true);
      peers?.serves(from, server.instance ?? '');
      return undefined;
    },
    ended,
    elsewhere(name) {
      let server: ServingConnection | undefined;
      const end = (): void => {
        if (server !== undefined) remove(name, server);
        server = undefined;
      };
      return {
        update(instance) {
          end();
          if (instance === undefined) return;
          server = { isOpen: true, instance: instance === '' ? undefined : instance };
          add(name, server, false);
        },
        end,
      };
    },
  };
}
