import { failure, type Result, refuse, success } from '@proffer/core';
import { listExtensionModes, listModes, macpRefusal } from '@proffer/core/negotiation';
import type { Broadcast } from '../../delivery/index.js';
import type { NegotiationRuntime } from '../negotiation-runtime.js';
import type { ReceiptLog } from '../receipts.js';
import type { Listener, OpenCalls, RegistryChanged, Subscription } from '../runtime.js';

/** How many may follow at the same time: they are anonymous, so they are counted together (I-7). */
const MAX_WATCHERS = 1_000;

/** Calls without a token: clients ask for the modes right after `Initialize`, before they present one. */
export function createOpenCalls(
  runtime: () => NegotiationRuntime | undefined,
  evidence: () => ReceiptLog | undefined,
): OpenCalls {
  function reading<Value>(read: (negotiation: NegotiationRuntime) => Value): Result<Value> {
    const current = runtime();
    if (current !== undefined) return success(read(current));
    return failure(macpRefusal(refuse('unavailable', 'The gateway is still loading its sessions.')));
  }

  const watching = new Set<Subscription>();

  function watch(
    changes: (negotiation: NegotiationRuntime) => Broadcast<RegistryChanged>,
    registry: 'modes' | 'roots',
    listener: Listener<RegistryChanged>,
  ): Result<Subscription> {
    if (watching.size >= MAX_WATCHERS) {
      const what = `There are already ${watching.size} watchers of the registries, and the limit is ${MAX_WATCHERS}.`;
      return failure(macpRefusal(refuse('too_many_connections', what, { limit: MAX_WATCHERS })));
    }
    return reading((current) => {
      const first = [{ registry, observed_at_unix_ms: current.clock() }];
      const tuning = { first, pick: (item: RegistryChanged) => item, mayStay: () => true };
      const listening = changes(current).listen(listener, tuning);
      const subscription = {
        stop() {
          watching.delete(subscription);
          listening.stop();
        },
      };
      watching.add(subscription);
      return subscription;
    });
  }

  return {
    modes: () => reading(({ modes }) => listModes(modes.state)),
    extensionModes: () => reading(({ modes }) => listExtensionModes(modes.state)),
    roots: () => success([]),
    async receiptKeys() {
      const { receiptKeys } = await import('../receipts.js');
      return success(receiptKeys(evidence()));
    },
    watchModes: (listener) => watch(({ modeChanges }) => modeChanges, 'modes', listener),
    watchRoots: (listener) => watch(({ rootChanges }) => rootChanges, 'roots', listener),
  };
}
