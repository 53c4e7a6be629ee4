import { isJsonArray, isJsonObject, type JsonObject, objectsIn, textOf } from '../../json/index.js';

/**
 * A call that somebody only watched (O-50). It is in the history as what it is: nobody was asked, and nobody approved
 * anything.
 */
export interface ObservedCall {
  /** What would have become of it: it would have run, somebody would have been asked, or a rule would have denied it. */
  readonly would: 'allow' | 'ask' | 'deny';
  /** As the inbox would have shown it. */
  readonly tool: string;
  /** Who would have run it. */
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether it only reads. */
  readonly reads?: true;
  /** Whether a protection covers it, or it could not be understood: no rule answers it. */
  readonly isProtected?: true;
  /** The arguments of the call, cut short where they are long; absent for one that would have run. */
  readonly arguments?: JsonObject;
  /**
   * Conditions of the rules that would answer it, as narrow as possible: none if no rule could; absent if its arguments
   * are all that is known.
   */
  readonly open?: readonly JsonObject[];
  readonly reason?: string;
}

/** More than a guard ever reports in one message (I-7). */
const MAX_CALLS = 1_000;

/** The watched calls that a message reports; none for any other message. Equal ones are reported together. */
export function observedIn({ observed }: JsonObject, time: number): readonly ObservedCall[] {
  const found: ObservedCall[] = [];
  for (const { calls, ...common } of objectsIn(observed)) {
    for (const own of isJsonArray(calls) ? calls : [{}]) {
      if (found.length === MAX_CALLS) return found;
      const call = isJsonObject(own) ? readObserved({ ...common, ...own }, time) : undefined;
      if (call !== undefined) found.push(call);
    }
  }
  return found;
}

function readObserved(record: JsonObject, time: number): ObservedCall | undefined {
  const { would, tool, server, at, reads, isProtected, arguments: given, open, reason } = record;
  if (would !== 'allow' && would !== 'ask' && would !== 'deny') return undefined;
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    would,
    tool: textOf(tool),
    server: textOf(server),
    at: Number.isNaN(moment) ? time : moment,
    ...(reads === true ? { reads } : {}),
    ...(isProtected === true ? { isProtected } : {}),
    ...(isJsonObject(given) ? { arguments: given } : {}),
    ...(isJsonArray(open) ? { open: objectsIn(open) } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}
