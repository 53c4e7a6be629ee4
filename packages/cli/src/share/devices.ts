import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createToken } from '@proffer/gateway/token';

/** A phone, or another paired device, that may review. */
export interface Device {
  /** Its name in the space. */
  readonly name: string;
  /** SHA-256 of its token, as hex. The token itself is only on the device. */
  readonly hash: string;
  /** How it described itself. */
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly pairedAt: number;
}

/** The devices paired with the guards of this machine. */
export interface Devices {
  list(): readonly Device[];
  /** The device that this token belongs to; `undefined` if there is none, or it was revoked. */
  find(token: string): Device | undefined;
  add(agent: string, now: number): { readonly device: Device; readonly token: string };
  /** Whether there was such a device. Its token is invalid from now on. */
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
    find(token) {
      const hash = hashOf(token);
      return list().find((device) => device.hash === hash);
    },
    add(agent, now) {
      const { token } = createToken();
      const name = `phone-${randomBytes(3).toString('hex')}`;
      const device = { name, hash: hashOf(token), agent, pairedAt: now };
      write([...list(), device]);
      return { device, token };
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

const NAME = 'devices.json';
/** How often the list is read without a sign of a change, in milliseconds. */
const INSPECTION = 500;

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
