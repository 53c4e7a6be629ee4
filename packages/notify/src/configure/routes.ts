import { authorize, type Capability, compileCapabilities } from '@proffer/core/capability';
import { defined } from '@proffer/core/json';
import type { GatewayConfig, NotifyRoute } from '@proffer/gateway/config';
import type { Channel } from '../channels/channel.js';
import { openChannel } from '../channels/registry.js';
import type { AskedProposal, ChannelRoute } from '../follow/route.js';
import { quietUntil } from '../outbox/quiet-hours.js';

/**
 * Everyone to notify, and how to reach them.
 *
 * @param onFault - called for a route that cannot be used, because a secret is missing; the others are used
 */
export function routesOf(
  config: GatewayConfig,
  onFault: (channel: string, participant: string, error: unknown) => void,
): readonly ChannelRoute[] {
  const { notify } = config;
  if (notify === undefined) return [];
  return [...notify.participants].flatMap(([participant, written]) =>
    written.flatMap((route) => {
      const settings = notify.channels.get(route.channel);
      if (settings === undefined) return [];
      let channel: Channel;
      try {
        channel = openChannel(settings, route);
      } catch (error) {
        onFault(route.channel, participant, error);
        return [];
      }
      const { digest, remind, quiet, updates } = route;
      return spacesOf(config, participant, route).map(
        (space): ChannelRoute => ({
          space,
          participant,
          channelName: route.to === undefined ? route.channel : `${route.channel}:${route.to}`,
          channel,
          settings: {
            digest,
            ...defined({ remind }),
            quietUntil: quietUntil(quiet),
            updates: updates && channel.reportsOutcomes,
          },
          wants: wantsFor(readerIn(config, participant, space), route.when),
        }),
      );
    }),
  );
}

function spacesOf(config: GatewayConfig, participant: string, { spaces }: NotifyRoute): readonly string[] {
  return spaces ?? [...(config.participants.get(participant)?.spaces.keys() ?? [])];
}

function readerIn({ participants }: GatewayConfig, participant: string, space: string): Reader {
  const { roles = [], spaces } = participants.get(participant) ?? {};
  return { participant, roles, capabilities: spaces?.get(space) ?? [] };
}

/** A participant in a space, as far as notifications depend on it. */
interface Reader {
  readonly participant: string;
  readonly roles: readonly string[];
  readonly capabilities: Iterable<Capability>;
}

/** No one is notified about their own proposals, or about those that only others are asked to decide. */
export function wantsFor(
  { participant, roles, capabilities }: Reader,
  when: NotifyRoute['when'],
): (asked: AskedProposal) => boolean {
  if (when === 'all') return ({ summary }) => summary.proposer !== participant;
  const compiled = compileCapabilities([...capabilities]);
  const names = new Set([participant, ...roles.map((role) => `role:${role}`)]);
  return ({ summary, params, addressees }) => {
    const { proposer, method } = summary;
    if (proposer === participant) return false;
    if (addressees.some((name) => names.has(name))) return true;
    if (when === 'addressed' || addressees.length > 0) return false;
    const payload = { method, ...defined({ params }) };
    return authorize(compiled, { from: participant, kind: `mcp.request.${method}`, payload }) === undefined;
  };
}
