import { noteGuard } from '@proffer/client/machine';
import type { JoinSpaceOptions } from './join-space.js';

/**
 * Notes this guard, for `status` and `doctor`, and so that the hook of the client does not ask as well, if it asks in the same
 * gateway. Hooks know it only under the name that the server has in the client's settings: by a name of its own, a guard could
 * pass for one in front of another server.
 *
 * @param folder - the guards' folder
 * @param name - of the guard, as a participant
 * @returns forgets it
 */
export function noteHere(
  folder: string,
  name: string,
  {
    knownAs,
    http,
    url,
    gateway = url,
  }: Pick<JoinSpaceOptions, 'url' | 'gateway'> & { readonly knownAs?: string; readonly http?: number },
): () => void {
  const isReliedOn = gateway === undefined && http === undefined;
  return noteGuard(folder, {
    name,
    ...(knownAs !== undefined && isReliedOn ? { server: knownAs } : {}),
    ...(gateway === undefined ? {} : { gateway }),
    pid: process.pid,
    parent: process.ppid,
  });
}
