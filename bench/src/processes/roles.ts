import type { AttackName, Target } from '../gateway/attackers/attack.js';
import type { BoundOptions } from '../gateway/servers/bound.js';
import type { GatewayServerOptions } from '../gateway/servers/gateway.js';
import type { GuardOptions } from '../guard/servers/guard.js';
import type { NatsGatewayOptions } from '../nats/serve-gateway.js';
import type { BareOptions } from '../negotiation/servers/bare.js';

/**
 * The roles of helper processes. Each takes options and reports when it is ready. Each imports only what it
 * needs: an attacker does not load a gateway.
 */
export const ROLES = {
  gateway: async (options: GatewayServerOptions) =>
    (await import('../gateway/servers/gateway.js')).serveGateway(options),
  natsGateway: async (options: NatsGatewayOptions) =>
    (await import('../nats/serve-gateway.js')).serveNatsGateway(options),
  plain: async () => (await import('../gateway/servers/plain.js')).servePlain(),
  bound: async (options: BoundOptions) => (await import('../gateway/servers/bound.js')).serveBound(options),
  bare: async (options: BareOptions) => (await import('../negotiation/servers/bare.js')).serveBare(options),
  grpcJs: async () => (await import('../negotiation/servers/grpc-js.js')).serveGrpcJs(),
  attacker: async (options: Target & { readonly name: AttackName }) =>
    (await import('../gateway/attackers/attack.js')).attack(options),
  opener: async (options: { readonly folder: string }) =>
    (await import('../journal/open-journal.js')).openJournal(options),
  tools: async () => (await import('../guard/servers/tools.js')).serveTools(),
  guard: async (options: GuardOptions) => (await import('../guard/servers/guard.js')).serveGuard(options),
} as const;

export type Role = keyof typeof ROLES;

export function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name);
}
