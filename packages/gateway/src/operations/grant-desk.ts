import type { Envelope } from '@proffer/core';
import {
  endSession,
  grantFor,
  isRepeat,
  type OperationRecord,
  type SpaceState,
  type Surroundings,
} from '@proffer/core/operations';
import { isStreamKind } from '../delivery/index.js';
import type { LiveState } from '../host/index.js';

/** The host's part of grants (O-41): finding them, and ending them with a session. */
export interface GrantDesk {
  /** The grant that allows a message; `undefined` if none does. Uses only durable state. */
  find(envelope: Envelope): string | undefined;
  /** A participant left: grants that last as long as it is present end. */
  left(name: string): void;
  /** The same, after a start, for everyone who did not come back. */
  begin(isPresent: (name: string) => boolean): void;
}

export function createGrantDesk(
  space: LiveState<SpaceState, OperationRecord>,
  surroundings: () => Surroundings,
): GrantDesk {
  function left(name: string): void {
    if (space.isRefreshing) {
      void space.landed().then(() => left(name));
      return;
    }
    const append = endSession(space.newest, name, surroundings().now);
    if (append === undefined) return;
    space.append([append], ({ outcomes: [outcome] }) => {
      // Another gateway wrote to the same stream first, or it never left: the rest ends then.
      if (outcome === undefined || outcome.status === 'conflict') left(name);
    });
  }

  return {
    find(envelope) {
      const { durable } = space;
      if (isStreamKind(envelope.kind)) return undefined;
      const grant = durable.grants.size === 0 ? undefined : grantFor(durable, envelope, surroundings());
      // A repeat of the message that spent the last use gets the original outcome; nothing new is accepted.
      return grant?.id ?? (isRepeat(durable, envelope, surroundings().now) ? NO_GRANT : undefined);
    },
    left,
    begin(isPresent) {
      for (const name of new Set(space.newest.grants.values())) if (!isPresent(name)) left(name);
    },
  };
}

/** Not the id of a grant: what depends on it is refused unless it was accepted before. */
const NO_GRANT = '';
