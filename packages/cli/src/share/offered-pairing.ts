import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OneTimeCodes, oneTimeCodes } from '../guard/one-time-codes.js';

/** How long a pairing code works, in milliseconds. */
export const PAIRING_LIFETIME = 120_000;

/** A link that pairs a device, once and within two minutes. */
export type PairingLink = {
  readonly link: string;
  /** The link as a QR code: a line for each row, `1` where it is dark. */
  readonly picture: readonly string[];
};

/** Where devices are served. */
export interface SharedAt {
  readonly host: string;
  readonly port: number;
}

/**
 * What the process that serves devices and the one that runs the gateway share: where devices are served, and
 * which codes work. Stored as files in the guards' folder.
 */
export interface OfferedPairing {
  readonly codes: OneTimeCodes;
  /** Announces that this process serves devices, and where. */
  begin(at: SharedAt): void;
  end(): void;
  /** Where devices are served now; `undefined` if they are not. */
  servedAt(): SharedAt | undefined;
  /**
   * A new link; `undefined` if nobody serves devices.
   *
   * @param url - the address that people use, if it is not the one where devices are served
   */
  link(now: number, url?: string): Promise<PairingLink | undefined>;
}

/** @param guards - the guards' folder */
export function offeredPairing(guards: string): OfferedPairing {
  const file = join(guards, 'shared-at');
  const codes = oneTimeCodes(join(guards, 'pairing-codes'), PAIRING_LIFETIME);
  const read = (): { readonly pid: number; readonly at: SharedAt } | undefined => {
    const [, pid, host = '', port] = /^(\d+) https:\/\/(.+):(\d+)$/.exec(readIfThere(file)) ?? [];
    return pid === undefined ? undefined : { pid: Number(pid), at: { host, port: Number(port) } };
  };
  const servedAt = (): SharedAt | undefined => {
    const found = read();
    return found !== undefined && isAlive(found.pid) ? found.at : undefined;
  };
  return {
    codes,
    begin: ({ host, port }) => writeFileSync(file, `${process.pid} https://${host}:${port}`, { mode: 0o600 }),
    end() {
      // Another process may serve devices elsewhere by now.
      if (read()?.pid === process.pid) rmSync(file, { force: true });
    },
    servedAt,
    async link(now, url) {
      const at = servedAt();
      if (at === undefined) return undefined;
      const base = url ?? `https://${at.host}:${at.port}`;
      const link = new URL(`console/#code=${codes.make(now)}`, base.endsWith('/') ? base : `${base}/`).href;
      // Loaded only by a process that is asked for one.
      const { encode } = await import('uqr');
      const { data } = encode(link, { border: 2 });
      return { link, picture: data.map((row) => row.map(Number).join('')) };
    },
  };
}

/** A killed guard leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
