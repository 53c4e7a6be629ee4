import { quote } from '@proffer/core/json';
import { listed, nearest, type Path } from '@proffer/reading';
import type { GatewayConfig, NotifyChannel } from './config.js';

/** What a channel needs to know about whom it reaches, beside its own settings; nothing if all is there. */
const NEEDS: Readonly<Partial<Record<NotifyChannel['type'], string>>> = {
  slack: "a channel's or user's id, such as C0123",
  email: 'an address',
  ntfy: 'a topic',
};

/** Reports routes of notifications that lead nowhere. */
export function checkNotify(
  { notify, participants, spaces }: GatewayConfig,
  problem: (path: Path, message: string, suggestion?: string) => void,
): void {
  if (notify === undefined) return;
  for (const [name, routes] of notify.participants) {
    const at = ['notify', 'participants', name];
    const known = participants.get(name);
    if (known === undefined) {
      problem(at, `There is no participant ${quote(name)}.`, nearest(name, [...participants.keys()]));
    }
    routes.forEach(({ channel, to, token, spaces: named = [] }, index) => {
      const place = [...at, index];
      const found = notify.channels.get(channel);
      const names = [...notify.channels.keys()];
      if (found === undefined) {
        const there = names.length === 0 ? 'there are none' : `there are ${listed(names)}`;
        problem(
          [...place, 'channel'],
          `There is no channel ${quote(channel)}; ${there}.`,
          nearest(channel, names),
        );
        return;
      }
      const needs = NEEDS[found.type];
      if (needs !== undefined && to === undefined)
        problem(place, `A ${found.type} channel needs \`to\`: ${needs}.`);
      if (found.type === 'gotify' && token === undefined) {
        problem(place, 'A gotify channel needs `token`: the token of the application.');
      }
      for (const space of named) {
        if (!spaces.has(space))
          problem(
            [...place, 'spaces'],
            `There is no space ${quote(space)}.`,
            nearest(space, [...spaces.keys()]),
          );
      }
    });
  }
}
