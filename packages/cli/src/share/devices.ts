import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readIfThere, replaceFile } from '@proffer/client/machine';
import { lockFile, makeFolder } from '@proffer/journal';
import type { NotifyPlace } from '@proffer/notify';
import { offeredPairing } from './offered-pairing.js';

/** A phone, or another paired device, that may review. */
export interface PairedDevice {
  /** The name of the device in the space. */
  readonly name: string;
  /**
   * The public key of its browser (SPKI, as base64url); the private one never leaves the browser. Absent for
   * a device that an earlier version paired: it has to be paired again.
   */
  readonly key?: string;
  /** How it described itself. */
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly pairedAt: number;
}

/** The devices paired with the guards on this machine. */
export interface Devices {
  list(): readonly PairedDevice[];
  /** The device of this name; `undefined` if there is none, or it was revoked. */
  find(name: string): PairedDevice | undefined;
  add(paired: Pick<PairedDevice, 'agent' | 'pairedAt'> & { readonly key: string }): Promise<PairedDevice>;
  /** Whether there was such a device. It cannot sign in from now on, and its tokens are invalid. */
  revoke(name: string): Promise<boolean>;
  /**
   * Calls back when a device may have been added or revoked, by any process, and from time to time; returns how to
   * stop.
   */
  watch(onChange: () => void): () => void;
}

/** @param folder - the guards' folder */
export function devicesIn(folder: string): Devices {
  const file = join(folder, NAME);
  const list = (): readonly PairedDevice[] =>
    JSON.parse(readIfThere(file) ?? '[]') as readonly PairedDevice[];
  /** One process at a time: what another one changed between reading and writing would be lost. */
  const change = async (
    to: (devices: readonly PairedDevice[]) => readonly PairedDevice[],
  ): Promise<boolean> => {
    makeFolder(folder);
    let lock = await lockFile(join(folder, LOCK));
    while (!('release' in lock)) {
      await pause(HELD);
      lock = await lockFile(join(folder, LOCK));
    }
    try {
      const before = list();
      const after = to(before);
      if (after.length === before.length) return false;
      replaceFile(file, `${JSON.stringify(after, undefined, 2)}\n`);
      return true;
    } finally {
      await lock.release();
    }
  };
  return {
    list,
    find: (name) => list().find((device) => device.name === name),
    async add(paired) {
      const device = { name: `phone-${randomBytes(3).toString('hex')}`, ...paired };
      await change((devices) => [...devices, device]);
      return device;
    },
    revoke: (name) => change((devices) => devices.filter((device) => device.name !== name)),
    watch(onChange) {
      // The folder: each change puts another file in the place of the list.
      const watcher = watch(folder, (_, name) => {
        if (name === NAME) onChange();
      });
      // A system may be unable to watch, or stop to. It is looked at from time to time, too.
      watcher.on('error', () => watcher.close());
      const timer = setInterval(onChange, INSPECTION);
      return () => {
        watcher.close();
        clearInterval(timer);
      };
    },
  };
}

/** Whether a participant of the guards' gateway is a device, paired or revoked. */
export function isDeviceName(participant: string): boolean {
  return /^phone-[0-9a-f]{6}$/.test(participant);
}

const NAME = 'devices.json';
const LOCK = 'devices.lock';
/** How soon to try again while another process changes the list, in milliseconds. */
const HELD = 10;
/** How often the list is read without a sign of a change, in milliseconds. */
const INSPECTION = 500;

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
