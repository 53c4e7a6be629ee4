import { authorize, compileCapabilities } from '@proffer/core';
import type { GatewayConfig, NotifyRoute } from '@proffer/gateway/config';
import type { Asked, Route } from '../follow/route.js';
import { quietUntil } from '../outbox/quiet-hours.js';
import { openChannel } from './channels.js';

/** Everybody who is to be told, with the way to reach them. Throws, in words, when a secret is not where it should be. */
export function routesOf(config: GatewayConfig): readonly Route[] {
  const { notify } = config;
  if (notify === undefined) return [];
  return [...notify.participants].flatMap(([participant, written]) =>
    written.flatMap((route) => {
      const settings = notify.channels.get(route.channel);
      if (settings === undefined) return [];
      const channel = openChannel(settings, route);
      const { digest, remind, quiet, updates } = route;
      return spacesOf(config, participant, route).map(
        (space): Route => ({
          space,
          participant,
          channelName: route.to === undefined ? route.channel : `${route.channel}:${route.to}`,
          channel,
          settings: {
            digest,
            ...(remind === undefined ? {} : { remind }),
            quietUntil: quietUntil(quiet),
            updates: updates && channel.tellsEndings,
          },
          wants: wantsOf(config, { participant, space, when: route.when }),
        }),
      );
    }),
  );
}

function spacesOf(config: GatewayConfig, participant: string, { spaces }: NotifyRoute): readonly string[] {
  return spaces ?? [...(config.participants.get(participant)?.spaces.keys() ?? [])];
}

/** Nobody hears of what they propose themselves, nor of what others are asked. */
function wantsOf(
  config: GatewayConfig,
  { participant, space, when }: { participant: string; space: string; when: NotifyRoute['when'] },
): (asked: Asked) => boolean {
  if (when === 'all') return ({ summary }) => summary.proposer !== participant;
  const capabilities = compileCapabilities(config.participants.get(participant)?.spaces.get(space) ?? []);
  return ({ summary, addressees }) => {
    const { proposer, method, params } = summary;
    if (proposer === participant) return false;
    if (addressees.includes(participant)) return true;
    if (when === 'addressed' || addressees.length > 0) return false;
    const payload = { method, ...(params === undefined ? {} : { params }) };
    return (
      authorize(capabilities, { from: participant, kind: `mcp.request.${method}`, payload }) === undefined
    );
  };
}
