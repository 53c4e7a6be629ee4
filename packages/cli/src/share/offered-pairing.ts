import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OneTimeCodes, oneTimeCodes } from '../guard/one-time-codes.js';
import { PAIRING_LIFETIME } from './pairing.js';

/** A link that pairs a device, once and within two minutes. */
export type PairingLink = {
  readonly link: string;
  /** The link as a QR code: a line for each row, `1` where it is dark. */
  readonly picture: readonly string[];
};

/**
 * What the guard that serves devices and the one that runs the gateway share: where devices are served, and
 * which codes work. Stored as files in the guards' folder.
 */
export interface OfferedPairing {
  readonly codes: OneTimeCodes;
  /** Announces that this process serves devices, and where. */
  begin(origin: string): void;
  end(): void;
  /** A new link; `undefined` if no guard serves devices. */
  link(now: number): Promise<PairingLink | undefined>;
  readonly isOffered: () => boolean;
}

/** @param guards - the guards' folder */
export function offeredPairing(guards: string): OfferedPairing {
  const file = join(guards, 'shared-at');
  const codes = oneTimeCodes(join(guards, 'pairing-codes'), PAIRING_LIFETIME);
  const origin = (): string | undefined => {
    const [pid = '', address] = readIfThere(file).split(' ');
    return address !== undefined && isAlive(Number(pid)) ? address : undefined;
  };
  return {
    codes,
    begin: (address) => writeFileSync(file, `${process.pid} ${address}`, { mode: 0o600 }),
    end: () => rmSync(file, { force: true }),
    isOffered: () => origin() !== undefined,
    async link(now) {
      const address = origin();
      if (address === undefined) return undefined;
      const link = `${address}/console/#code=${codes.make(now)}`;
      // Loaded only by a guard that is asked for one.
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
