import type { GuardOptions } from '@proffer/mcp';
import { openDisk, placesOf } from '@proffer/steward/disk';

/** Decides about a server that runs on this machine: rules about paths see where links lead. */
export function decideHere(decide: GuardOptions['decide'], home: string): GuardOptions['decide'] {
  const folder = process.cwd();
  return (call) => {
    const disk = openDisk();
    return decide({ ...call, locate: (path) => placesOf(path, { home, folder, disk }).paths });
  };
}
