import { type JsonObject, type JsonValue, objectOf, objectsIn, textOf, textsIn } from '@proffer/core/json';
import type { Step } from '@proffer/core/words';

/** One step in the life of a proposal, as the gateway reports it. */
export interface ReportedStep extends Step {
  readonly time: number;
  readonly by: string;
}

/** Reads the history of a proposal. */
export function readSteps(history: JsonValue | undefined): readonly ReportedStep[] {
  return objectsIn(history).map(({ type, time, facts, message }) => {
    const { from, to, payload } = objectOf(message);
    return {
      type: textOf(type),
      time: typeof time === 'number' ? time : 0,
      by: textOf(from),
      to: textsIn(to),
      payload: objectOf(payload),
      facts: objectOf(facts),
    };
  });
}

/** The digest that a step is about, if any. */
export function digestIn({ facts }: { readonly facts: JsonObject }): string | undefined {
  const { ranDigest, digest } = facts;
  return textOf(ranDigest ?? digest) || undefined;
}
