/**
 * What a guard must know about its calls after it was killed and cannot learn from the space: that a later round was
 * started (the space settled the call with the first), that a caller was promised that a call waits until it expires,
 * that an outcome was delivered, and that the space was told that the outcome of a round is unknown.
 */
export interface KeptFact {
  readonly type: 'began' | 'promised' | 'heard' | 'declared';
  /** The proposal of the call. */
  readonly id: string;
  /** Absent for the call itself; its later rounds count from 2. */
  readonly round?: number;
}

/** A later round of a call. */
export interface LaterRound {
  readonly id: string;
  readonly round: number;
}

/** The stored facts, folded. */
export interface CallMemory {
  has(fact: KeptFact): boolean;
  /** The last started later round of each call whose outcome was not delivered, oldest first. */
  readonly unheardRounds: readonly LaterRound[];
}

/** @param facts - oldest first */
export function rememberFacts(facts: Iterable<KeptFact>): CallMemory {
  const known = new Set<string>();
  const begun = new Map<string, LaterRound>();
  for (const fact of facts) {
    known.add(keyOf(fact));
    const { type, id, round } = fact;
    if (type === 'began' && round !== undefined) begun.set(id, { id, round });
  }
  return {
    has: (fact) => known.has(keyOf(fact)),
    unheardRounds: [...begun.values()].filter((round) => !known.has(keyOf({ type: 'heard', ...round }))),
  };
}

function keyOf({ type, id, round = 1 }: KeptFact): string {
  return `${id} ${round} ${type}`;
}

/**
 * Parses a line of the file that guards used before they had a journal: `ID` and `ID#ROUND told` for what was
 * delivered, `ID#ROUND` for a started round, `ID#ROUND unknown` for what the space was told.
 */
export function factInLine(line: string): KeptFact | undefined {
  const [, id, digits, mark] = /^([^\s#]+)(?:#(\d+)(?: (told|unknown))?)?$/.exec(line) ?? [];
  if (id === undefined) return undefined;
  if (digits === undefined) return { type: 'heard', id };
  const type = mark === undefined ? 'began' : mark === 'told' ? 'heard' : 'declared';
  return { type, id, round: Number(digits) };
}
