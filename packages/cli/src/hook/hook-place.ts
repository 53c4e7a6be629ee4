import type { AgentId, HookPlace, HookSettings } from '@proffer/hook';
import { enterPlace } from '../guard/place.js';
import type { Shell } from '../terminal/shell.js';

/**
 * How agents enter a space: each under its own name in the guards' shared gateway, or all under the name of a
 * token in another gateway.
 *
 * @param data - the guards' folder
 */
export function hookPlaces(
  { gateway }: HookSettings,
  data: string,
  shell: Shell,
): (agent: AgentId) => Promise<HookPlace> {
  if (gateway === undefined) return (agent) => enterPlace({ data }, { name: agent }, shell);
  let place: Promise<HookPlace> | undefined;
  return (agent) => {
    place ??= enterPlace({ ...gateway, data }, { name: agent }, shell);
    place.catch(() => {
      place = undefined;
    });
    return place;
  };
}
