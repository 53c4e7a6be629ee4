import type { Decider } from '../decision.js';
import type { RecordContent } from '../record/record.js';

/** The stream that says which tokens were revoked; in no space's feed. */
export const REVOCATION_SPACE = 'system:access';
export const REVOCATION_STREAM = `${REVOCATION_SPACE}/tokens`;

/** A gateway replaced its configuration: the tokens in it, by hash, as they were and as they are. */
export type TokensReplaced = {
  readonly before: readonly string[];
  readonly after: readonly string[];
};

/** Tokens, by hash, that no gateway takes any more; or takes again. */
export type TokenRecord = RecordContent & {
  readonly type: 'tokens_revoked' | 'tokens_restored';
  readonly facts: { readonly tokens: readonly string[] };
};

export type RevokedTokens = ReadonlySet<string>;

/**
 * A token that one gateway takes out of its configuration is revoked at all of them, also at one whose configuration
 * still has it (I-4). It counts again when a gateway that had it no longer puts it back.
 */
export const revokedTokens: Decider<RevokedTokens, TokensReplaced, TokenRecord, { readonly now: number }> = {
  initial: new Set(),
  decide(revoked, { before, after }, { now }) {
    const [had, has] = [new Set(before), new Set(after)];
    const gone = [...had].filter((token) => !has.has(token) && !revoked.has(token));
    const back = [...has].filter((token) => !had.has(token) && revoked.has(token));
    const records: TokenRecord[] = [];
    if (gone.length > 0) records.push(recordOf('tokens_revoked', gone, now));
    if (back.length > 0) records.push(recordOf('tokens_restored', back, now));
    return { records };
  },
  evolve(revoked, { type, facts: { tokens } }) {
    const changed = new Set(revoked);
    for (const token of tokens) {
      if (type === 'tokens_revoked') changed.add(token);
      else changed.delete(token);
    }
    return changed;
  },
};

function recordOf(type: TokenRecord['type'], tokens: readonly string[], time: number): TokenRecord {
  return { type, time, principal: 'system:gateway', envelope: {}, facts: { tokens } };
}
