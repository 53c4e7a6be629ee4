import invariants from './clauses/invariants.json' with { type: 'json' };
import negotiation from './clauses/negotiation.json' with { type: 'json' };
import operations from './clauses/operations.json' with { type: 'json' };

/** One rule of the specification. */
export interface Clause {
  /** `O-…` for operations, `N-…` for negotiations, `I-…` for invariants. */
  readonly id: string;
  /**
   * The packages whose tests must cover the rule, by folder name; `gateway/grpc` for a folder of a package.
   */
  readonly packages: readonly string[];
  readonly text: string;
}

/** All clauses, in order. */
export const clauses: readonly Clause[] = [...operations, ...negotiation, ...invariants];

/** The clause ids in a text, in order. */
export function idsIn(text: string): readonly string[] {
  return text.match(/\b[ONI]-\d+\b/g) ?? [];
}
