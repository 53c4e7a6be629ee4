import { quote } from '@proffer/core/json';
import { listed, nearest, type Path } from '@proffer/reading';
import type { ChannelTypes, GatewayConfig } from './config.js';

/** Reports notification routes that lead nowhere. */
export function checkNotify(
  { notify, participants, spaces }: GatewayConfig,
  channelTypes: ChannelTypes,
  problem: (path: Path, message: string, suggestion?: string) => void,
): void {
  if (notify === undefined) return;
  for (const [name, routes] of notify.participants) {
    const at = ['notify', 'participants', name];
    const known = participants.get(name);
    if (known === undefined) {
      problem(at, `Unknown participant ${quote(name)}.`, nearest(name, [...participants.keys()]));
    }
    routes.forEach(({ channel, to, token, spaces: named = [] }, index) => {
      const place = [...at, index];
      const found = notify.channels.get(channel);
      const names = [...notify.channels.keys()];
      if (found === undefined) {
        const there = names.length === 0 ? 'none are configured' : `the channels are ${listed(names)}`;
        problem(
          [...place, 'channel'],
          `Unknown channel ${quote(channel)}; ${there}.`,
          nearest(channel, names),
        );
        return;
      }
      const written = { to, token };
      for (const [key, needs] of Object.entries(channelTypes[found.type]?.routeNeeds ?? {})) {
        if (written[key as keyof typeof written] === undefined)
          problem(place, `A ${found.type} channel needs \`${key}\`: ${needs}.`);
      }
      for (const space of named) {
        if (!spaces.has(space))
          problem([...place, 'spaces'], `Unknown space ${quote(space)}.`, nearest(space, [...spaces.keys()]));
      }
    });
  }
}
