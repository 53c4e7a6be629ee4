import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { AskError, ask } from '../session/http.js';

/** A device that asks to review here. */
export interface AskingDevice {
  readonly id: string;
  /** Its address in the network. */
  readonly from: string;
  /** What it says it is. */
  readonly agent: string;
}

/** A device that was let in. */
export interface PairedDevice {
  readonly id: string;
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly pairedAt: number;
}

export interface Pairing {
  readonly asking: readonly AskingDevice[];
  readonly devices: readonly PairedDevice[];
}

/** What may be done about devices: answer one that asks, or end one. */
export type PairingChange =
  | { readonly answer: string; readonly yes: boolean }
  | { readonly revoke: string }
  | Record<string, never>;

/** The devices of the guards' inbox; nothing where devices are not paired, or not by this person. */
export async function readPairing(token: string, change: PairingChange = {}): Promise<Pairing | undefined> {
  try {
    const { asking, devices } = await ask('/hooks/devices', token, { ...change });
    return {
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

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
