import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A phone, or another paired device, that may review. */
export interface Device {
  /** Its name in the space. */
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

/** The devices paired with the guards of this machine. */
export interface Devices {
  list(): readonly Device[];
  /** The device of this name; `undefined` if there is none, or it was revoked. */
  find(name: string): Device | undefined;
  add(paired: Pick<Device, 'agent' | 'pairedAt'> & { readonly key: string }): Device;
  /** Whether there was such a device. It cannot sign in from now on, and its tokens are invalid. */
  revoke(name: string): boolean;
  /** Calls back when a device may have been added or revoked, by any process; returns how to stop. */
  watch(onChange: () => void): () => void;
}

/** @param folder - the guards' folder */
export function devicesIn(folder: string): Devices {
  const file = join(folder, NAME);
  const list = (): readonly Device[] => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as readonly Device[];
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  };
  const write = (devices: readonly Device[]): void => {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(devices, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  };
  return {
    list,
    find: (name) => list().find((device) => device.name === name),
    add(paired) {
      const device = { name: `phone-${randomBytes(3).toString('hex')}`, ...paired };
      write([...list(), device]);
      return device;
    },
    revoke(name) {
      const devices = list();
      const others = devices.filter((device) => device.name !== name);
      if (others.length < devices.length) write(others);
      return others.length < devices.length;
    },
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
/** How often the list is read without a sign of a change, in milliseconds. */
const INSPECTION = 500;
