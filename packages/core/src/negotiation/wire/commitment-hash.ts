import { sha256 } from '../../hash/sha256.js';
import { canonicalJson } from '../../json/canonical.js';
import type { JsonObject } from '../../json/json.js';
import type { CommitmentPayload } from './payloads.js';

/** What is hashed begins with this, so that no other text of Proffer or MACP has the same hash. */
const LABEL = 'macp-commitment-hash/1:';

/**
 * The hash of a commitment (N-19, RFC-MACP-0013): `sha256:` and 64 hexadecimal digits. Equal for two
 * commitments exactly if all their fields are; `commitment_id` is one of them.
 */
export function hashCommitment(payload: CommitmentPayload): string {
  return `sha256:${sha256(LABEL + canonicalJson(projectCommitment(payload)))}`;
}

/** The fields of a commitment that its hash covers, and its receipt contains: all of them, and nothing else. */
export function projectCommitment(payload: CommitmentPayload): JsonObject {
  const { supersedes } = payload;
  return {
    commitment_id: payload.commitment_id,
    action: payload.action,
    authority_scope: payload.authority_scope,
    reason: payload.reason,
    mode_version: payload.mode_version,
    policy_version: payload.policy_version,
    configuration_version: payload.configuration_version,
    outcome_positive: payload.outcome_positive,
    ...(supersedes === undefined
      ? {}
      : {
          supersedes: { session_id: supersedes.session_id, commitment_hash: supersedes.commitment_hash },
        }),
  };
}

/** Whether a text has the form of {@link hashCommitment}. */
export function isCommitmentHash(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}
