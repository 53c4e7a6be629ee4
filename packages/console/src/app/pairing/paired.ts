import { isJsonArray, objectsIn, textOf } from '@proffer/core/json';
import { AskError, ask } from '../session/http.js';

/** A device that asks to review here. */
export interface AskingDevice {
  readonly id: string;
  /** The address of the device in the network. */
  readonly from: string;
  /** The device's description of itself. */
  readonly agent: string;
}

/** A paired device. */
interface PairedDevice {
  readonly id: string;
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly pairedAt: number;
}

export interface Pairing {
  /** Whether phones can be paired here now. */
  readonly isShared: boolean;
  /** A link for one more device, if requested, and the same as a QR code: `1` where it is dark. */
  readonly link: string;
  readonly picture: readonly string[];
  readonly asking: readonly AskingDevice[];
  readonly devices: readonly PairedDevice[];
}

/** Actions on devices: answer a request, remove one, or show a link for one more. */
export type PairingChange =
  | { readonly answer: string; readonly yes: boolean }
  | { readonly revoke: string }
  | { readonly pair: true }
  | Record<string, never>;

/** The devices of the guards' inbox; `undefined` if devices are not paired here, or not by this user. */
export async function readPairing(token: string, change: PairingChange = {}): Promise<Pairing | undefined> {
  try {
    const { isShared, link, picture, asking, devices } = await ask('/hooks/devices', token, { ...change });
    return {
      isShared: isShared === true,
      link: textOf(link),
      picture: isJsonArray(picture) ? picture.map(textOf) : [],
      asking: objectsIn(asking).map(({ id, from, agent }) => ({
        id: textOf(id),
        from: textOf(from),
        agent: textOf(agent),
      })),
      devices: objectsIn(devices).map(({ id, agent, pairedAt }) => ({
        id: textOf(id),
        agent: textOf(agent),
        pairedAt: Number(pairedAt),
      })),
    };
  } catch (error) {
    if (error instanceof AskError && error.code !== undefined) return undefined;
    throw error;
  }
}
