import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, replaceFile } from '@proffer/client/machine';
import { fileFailure } from '../file-failure.js';
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
  /** Where devices are served now, by the process that began last; `undefined` if they are not. */
  servedAt(): SharedAt | undefined;
  /** Why nobody can know where, as a sentence; `undefined` if nothing is wrong. */
  fault(): string | undefined;
  /**
   * A new link; `undefined` if nobody serves devices.
   *
   * @param url - the address that people use, if it is not the one where devices are served
   */
  link(now: number, url?: string): Promise<PairingLink | undefined>;
}

/** A process, and where it serves devices. */
const LINE = /^(\d+) https:\/\/(.+):(\d+)$/;

/** @param guards - the guards' folder */
export function offeredPairing(guards: string): OfferedPairing {
  const file = join(guards, 'shared-at');
  const codes = oneTimeCodes(join(guards, 'pairing-codes'), PAIRING_LIFETIME);
  // A line for each process that serves devices: more than one may, at addresses of their own.
  // A file that cannot be read does not count: whoever shares next replaces it.
  const lines = (): readonly string[] => {
    try {
      return (readIfThere(file) ?? '').split('\n');
    } catch {
      return [];
    }
  };
  const others = (): readonly string[] =>
    lines().filter((line) => {
      const pid = Number(LINE.exec(line)?.[1] ?? Number.NaN);
      return pid !== process.pid && isAlive(pid);
    });
  const write = (written: readonly string[]): void => {
    if (written.length === 0) return rmSync(file, { force: true });
    replaceFile(file, written.join('\n'));
  };
  const servedAt = (): SharedAt | undefined => {
    const found = lines().map((line) => LINE.exec(line));
    const [, , host = '', port] = found.findLast((line) => line !== null && isAlive(Number(line[1]))) ?? [];
    return port === undefined ? undefined : { host, port: Number(port) };
  };
  return {
    codes,
    begin: ({ host, port }) => write([...others(), `${process.pid} https://${host}:${port}`]),
    end: () => write(others()),
    servedAt,
    fault() {
      try {
        readIfThere(file);
        return undefined;
      } catch (error) {
        return fileFailure(error)?.message ?? String(error);
      }
    },
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
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
