import { bearerToken } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { Guest, Guests } from '../../operations/index.js';
import type { Call, Route } from './router.js';

type Handle = Route['handle'];

/** Admits requests to the space in their path. */
export interface Admission {
  /** For those who may enter. */
  readonly inSpace: (handle: (call: Call, guest: Guest) => void | Promise<void>) => Handle;
  /** The same, counted as a message: a page can cost as much as many. */
  readonly counted: (
    handle: (call: Call, guest: Guest) => void | Promise<void>,
    stays?: (call: Call) => boolean,
  ) => Handle;
}

export function createAdmission(guests: Guests, metrics: Metrics): Admission {
  /** A long-lived request counts as a connection until its answer is complete. */
  async function enterToStay(call: Call): Promise<Guest | undefined> {
    const { request, response } = call;
    const connected = await guests.connect(tokenOf(request), call.values[0] ?? '');
    if (!connected.ok) {
      call.refuse(connected.refusal);
      return undefined;
    }
    const { guest, leave } = connected.value;
    call.onAdmitted();
    metrics.connections.inc({ transport: 'sse' });
    response.once('close', () => {
      metrics.connections.dec({ transport: 'sse' });
      leave();
    });
    if (!response.destroyed) return guest;
    // A client that is already gone cannot be closed.
    response.emit('close');
    return undefined;
  }

  async function enter(call: Call): Promise<Guest | undefined> {
    const admitted = await guests.admit(tokenOf(call.request), call.values[0] ?? '');
    if (admitted.ok) call.onAdmitted();
    else call.refuse(admitted.refusal);
    return admitted.ok ? admitted.value : undefined;
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
        const allowed = guest?.attempt();
        if (guest === undefined || allowed === undefined) return;
        if (allowed.ok) await handle(call, guest);
        else call.refuse(allowed.refusal);
      },
  };
}

function tokenOf({ headers }: Call['request']): string | undefined {
  return bearerToken(headers.authorization);
}
