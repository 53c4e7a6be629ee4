import {
  type CommitmentPayload,
  type CounterProposalPayload,
  type ProposalPayload,
  type SessionMessage,
  type SessionStartPayload,
} from '@proffer/core/negotiation';
import { newId } from '../../connection/new-id.js';
import { encodeContent } from '../bytes.js';
import type { CommitOptions, CounterOfferOptions, OfferOptions, StartOptions } from './message-options.js';

/** The payload of a start, with defaults. */
export function startPayload(options: StartOptions, modeVersion: string): SessionStartPayload {
  const extensions = Object.entries(options.extensions ?? {});
  return {
    intent: options.intent,
    participants: options.participants,
    mode_version: modeVersion,
    configuration_version: options.configurationVersion ?? 'config.default',
    policy_version: options.policyVersion ?? '',
    ttl_ms: options.ttlMs,
    roots: options.roots ?? [],
    context_id: options.contextId ?? '',
    extensions: Object.fromEntries(extensions.map(([key, content]) => [key, encodeContent(content)])),
    ...(options.maxSuspendMs === undefined ? {} : { max_suspend_ms: options.maxSuspendMs }),
  };
}

/** The payload of an offer. */
export function proposalPayload(
  proposal_id: string,
  title: string,
  { tags = [], ...offer }: OfferOptions,
): ProposalPayload {
  return { proposal_id, title, ...wordsOf(offer), tags };
}

/** The payload of a counter-offer. */
export function counterPayload(
  proposal_id: string,
  supersedes_proposal_id: string,
  title: string,
  offer: CounterOfferOptions,
): CounterProposalPayload {
  return { proposal_id, supersedes_proposal_id, title, ...wordsOf(offer) };
}

/** The payload of an outcome; its versions are those of the session's start. */
export function commitmentPayload(
  options: CommitOptions,
  { payload }: SessionMessage<'SessionStart'>,
): CommitmentPayload {
  const { supersedes } = options;
  const { mode_version, policy_version, configuration_version } = payload;
  return {
    commitment_id: options.commitmentId ?? newId(),
    action: options.action,
    authority_scope: options.authorityScope,
    reason: options.reason,
    mode_version,
    policy_version,
    configuration_version,
    outcome_positive: options.outcomePositive ?? true,
    ...(supersedes === undefined
      ? {}
      : { supersedes: { session_id: supersedes.sessionId, commitment_hash: supersedes.commitmentHash } }),
  };
}

function wordsOf({ summary = '', details }: CounterOfferOptions) {
  return { summary, details: details === undefined ? '' : encodeContent(details) };
}
