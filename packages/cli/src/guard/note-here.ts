import { noteGuard } from '@proffer/client/machine';
import type { PlaceOptions } from './place.js';

/**
 * Notes this guard, so that the hook of the client does not ask as well, if it asks in the same gateway. Only under the name
 * that the server has in the client's settings: by a name of its own, a guard could pass for one in front of another server.
 *
 * @param folder - the guards' folder
 * @returns forgets it
 */
export function noteHere(
  folder: string,
  { knownAs, url, gateway }: Pick<PlaceOptions, 'url' | 'gateway'> & { readonly knownAs?: string },
): (() => void) | undefined {
  if (knownAs === undefined || url !== undefined || gateway !== undefined) return undefined;
  return noteGuard(folder, { server: knownAs, pid: process.pid, parent: process.ppid });
}
