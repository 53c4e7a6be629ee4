import { bearerToken } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import type { SpaceAdmission, SpaceCaller } from '../../operations/index.js';
import type { HttpCall, HttpRoute } from './router.js';

type Handle = HttpRoute['handle'];

/** Admits requests to the space in their path. */
export interface HttpAdmission {
  /** For those who may enter. */
  readonly inSpace: (handle: (call: HttpCall, caller: SpaceCaller) => void | Promise<void>) => Handle;
  /** Admits a request, and counts it as a message: a page can cost as much as many. */
  readonly counted: (
    handle: (call: HttpCall, caller: SpaceCaller) => void | Promise<void>,
    stays?: (call: HttpCall) => boolean,
  ) => Handle;
}

export function createAdmission(admission: SpaceAdmission, metrics: Metrics): HttpAdmission {
  /** A long-lived request counts as a connection until its answer is complete. */
  async function enterToStay(call: HttpCall): Promise<SpaceCaller | undefined> {
    const { request, response } = call;
    const connected = await admission.connect(tokenOf(request), call.values[0] ?? '');
    if (!connected.ok) {
      call.refuse(connected.refusal);
      return undefined;
    }
    const { caller, leave } = connected.value;
    call.onAdmitted();
    metrics.connections.inc({ transport: 'sse' });
    response.once('close', () => {
      metrics.connections.dec({ transport: 'sse' });
      leave();
    });
    if (!response.destroyed) return caller;
    // A client that is already gone cannot be closed.
    response.emit('close');
    return undefined;
  }

  async function enter(call: HttpCall): Promise<SpaceCaller | undefined> {
    const admitted = await admission.admit(tokenOf(call.request), call.values[0] ?? '');
    if (admitted.ok) call.onAdmitted();
    else call.refuse(admitted.refusal);
    return admitted.ok ? admitted.value : undefined;
  }

  return {
    inSpace: (handle) => async (call) => {
      const caller = await enter(call);
      if (caller !== undefined) await handle(call, caller);
    },
    counted:
      (handle, stays = () => false) =>
      async (call) => {
        const caller = await (stays(call) ? enterToStay(call) : enter(call));
        const allowed = caller?.checkRightsAndRate();
        if (caller === undefined || allowed === undefined) return;
        if (allowed.ok) await handle(call, caller);
        else call.refuse(allowed.refusal);
      },
  };
}

function tokenOf({ headers }: HttpCall['request']): string | undefined {
  return bearerToken(headers.authorization);
}
