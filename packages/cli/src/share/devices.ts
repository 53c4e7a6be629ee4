import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
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
}

/** @param folder - the guards' folder */
export function devicesIn(folder: string): Devices {
  const file = join(folder, 'devices.json');
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
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
