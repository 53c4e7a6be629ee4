import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  textOf,
} from '@proffer/core/json';
import type { RegisteredKey } from '@proffer/core/operations';
import { type GrantInForce, readGrants } from '../operations/grants.js';

/** A participant as the gateway describes it. */
export type Member = {
  readonly id: string;
  readonly capabilities: readonly JsonValue[];
  /** The tools it announced: `{ tools: […] }` (O-26). */
  readonly serves: JsonObject;
  /** What it signs decisions with (O-49). */
  readonly keys?: readonly KeyInForce[];
};

/** A key in force, as the gateway shows it. */
export type KeyInForce = Pick<RegisteredKey, 'id' | 'type' | 'domain' | 'label' | 'at' | 'vouched'>;

/** A pause of all approvals in the space: by whom, since when, and why. */
export type Paused = { readonly by: string; readonly at: number; readonly reason?: string };

/** What the gateway says when it accepts us (O-27). */
export type Welcome = {
  readonly space: string;
  readonly you: Member;
  /** The others. */
  readonly participants: readonly Member[];
  /** Pending proposals, oldest first, at most a hundred, in the same form as over HTTP. */
  readonly pending: readonly JsonObject[];
  /** Grants to us or by us that are in force (O-41). */
  readonly grants: readonly GrantInForce[];
  /** Present while all approvals of the space are paused. */
  readonly paused?: Paused;
  /** Whether every approval has to be signed (O-49). Default: where the review of a proposal says so. */
  readonly signed?: boolean;
  /**
   * What acknowledged messages survive: `power`, a power cut; `process`, the end of the gateway's process, and a
   * power cut 10 ms later. Absent if other servers keep them, or nothing does.
   */
  readonly durability?: 'power' | 'process';
  /** How many more are pending than listed. */
  readonly morePending: number;
  /** The position of the space: everything after this is yet to come. */
  readonly seq: number;
};

export function readWelcome(payload: JsonObject): Welcome {
  const { space, you, participants, pending, morePending, grants, durability, seq } = payload;
  const paused = readPaused(payload['paused']);
  return {
    space: textOf(space),
    you: readMember(you),
    participants: listOf(participants).map(readMember),
    pending: listOf(pending).filter(isJsonObject),
    grants: readGrants(grants),
    ...defined({ paused }),
    ...(payload['signed'] === true ? { signed: true } : {}),
    ...(durability === 'power' || durability === 'process' ? { durability } : {}),
    morePending: typeof morePending === 'number' ? morePending : 0,
    seq: typeof seq === 'number' ? seq : 0,
  };
}

export function readMember(value: JsonValue | undefined): Member {
  const { id, capabilities, serves, keys } = objectOf(value);
  return {
    id: textOf(id),
    capabilities: listOf(capabilities),
    serves: objectOf(serves),
    ...(keys === undefined ? {} : { keys: listOf(keys) as unknown as readonly KeyInForce[] }),
  };
}

function readPaused(value: JsonValue | undefined): Paused | undefined {
  if (!isJsonObject(value)) return undefined;
  const { by, at, reason } = value;
  return {
    by: textOf(by),
    at: typeof at === 'number' ? at : 0,
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}
