import { objectOf, textOf } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import type { VisibleProposal } from '@proffer/gateway';

/** A message shows the call as proposed: not who rejected it since, nor what they would run instead. */
const AS_PROPOSED = 1;

/** What an approval from a message that is sent now is for (O-35); `undefined` if nobody could run it. */
export function shownIn({ shown }: VisibleProposal): ShownVersion | undefined {
  const { name, definition, insteadOf } = objectOf(objectOf(shown['proposal'])['wouldRun']);
  // Only somebody who sees that it would run there for the first time lets a participant in (O-26).
  if (name === undefined || insteadOf !== undefined) return undefined;
  return {
    version: AS_PROPOSED,
    executor: textOf(name),
    ...(definition === undefined ? {} : { definition: textOf(definition) }),
  };
}
