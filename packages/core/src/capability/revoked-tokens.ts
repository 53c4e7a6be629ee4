import type { Decider } from '../decision.js';
import type { RecordContent } from '../record/record.js';

/** The stream of revoked tokens; in no space's feed. */
export const REVOCATION_SPACE = 'system:access';
export const REVOCATION_STREAM = `${REVOCATION_SPACE}/tokens`;

/** A gateway replaced its configuration: its tokens, by hash, before and after. */
export type TokensReplaced = {
  readonly before: readonly string[];
  readonly after: readonly string[];
};

/** Tokens, by hash, that no gateway accepts any more; or accepts again. */
export type TokenRecord = RecordContent & {
  readonly type: 'tokens_revoked' | 'tokens_restored';
  readonly facts: { readonly tokens: readonly string[] };
};

export type RevokedTokens = ReadonlySet<string>;

/**
 * A token that one gateway removes from its configuration is revoked at all of them, even if
 * another's configuration still has it (I-4). It is valid again when a gateway without it adds it
 * back.
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
