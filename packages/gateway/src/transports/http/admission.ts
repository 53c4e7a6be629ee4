import { bearerToken, type Door, type Guest } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { Call, Route } from './router.js';

type Handle = Route['handle'];

/** Lets requests into the space that their path names. */
export interface Admission {
  /** For those who may enter. */
  readonly inSpace: (handle: (call: Call, guest: Guest) => void | Promise<void>) => Handle;
  /** The same, and it counts as a message: a page can cost as much as many. */
  readonly counted: (
    handle: (call: Call, guest: Guest) => void | Promise<void>,
    stays?: (call: Call) => boolean,
  ) => Handle;
}

export function createAdmission(door: Door, metrics: Metrics): Admission {
  /** A request that stays counts as a connection until its answer is complete. */
  async function enterToStay(call: Call): Promise<Guest | undefined> {
    const { request, response } = call;
    const { guest, refused, leave } = await door.connect(tokenOf(request), call.values[0] ?? '');
    if (guest === undefined) {
      call.refuse(refused);
      return undefined;
    }
    call.onAdmitted();
    metrics.connections.inc({ transport: 'sse' });
    response.once('close', () => {
      metrics.connections.dec({ transport: 'sse' });
      leave?.();
    });
    if (!response.destroyed) return guest;
    // Who is gone already closes nothing any more.
    response.emit('close');
    return undefined;
  }

  async function enter(call: Call): Promise<Guest | undefined> {
    const { guest, refused } = await door.admit(tokenOf(call.request), call.values[0] ?? '');
    if (guest === undefined) call.refuse(refused);
    else call.onAdmitted();
    return guest;
  }

  return {
    inSpace: (handle) => async (call) => {
      const guest = await enter(call);
      if (guest !== undefined) await handle(call, guest);
    },
    counted:
      (handle, stays = () => false) =>
      async (call) => {
        const guest = await (stays(call) ? enterToStay(call) : enter(call));
        const allowed = guest?.mayTry();
        if (guest === undefined || allowed === undefined) return;
        if ('refused' in allowed) call.refuse(allowed.refused);
        else await handle(call, guest);
      },
  };
}

function tokenOf({ headers }: Call['request']): string | undefined {
  return bearerToken(headers.authorization);
}
