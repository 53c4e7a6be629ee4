import type { NotifyPlace } from '@proffer/notify';
import { devicesIn, isDeviceName } from './devices.js';
import { offeredPairing } from './offered-pairing.js';

/**
 * What notifications of the guards' gateway depend on: links lead to where phones reach the inbox, and a
 * revoked device is notified of nothing.
 *
 * @param folder - the guards' folder
 */
export function reachedByDevices({ path }: { readonly path: string }): NotifyPlace {
  const pairing = offeredPairing(path);
  const devices = devicesIn(path);
  return {
    reachedAt() {
      const at = pairing.servedAt();
      return at === undefined ? undefined : { ...at, secure: true };
    },
    isRevoked: (participant) => isDeviceName(participant) && devices.find(participant) === undefined,
  };
}
