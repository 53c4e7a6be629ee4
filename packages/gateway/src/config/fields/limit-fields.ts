import type { LimitsConfig } from '../config.js';
import { type Field, optional, section } from '../read/field.js';
import { rate, size } from '../read/quantity.js';
import { wholeNumber } from '../read/scalar.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Defaults for limits that the file does not set. */
export const DEFAULT_LIMITS: LimitsConfig = {
  messageSize: MIB,
  messageDepth: 64,
  messagesPerParticipant: { count: 1000, period: SECOND },
  badMessagesPerConnection: { count: 60, period: MINUTE },
  connectionsPerToken: 32,
  streamsPerToken: 1024,
  pendingProposalsPerParticipant: 1000,
  unacknowledgedPerConnection: 16 * MIB,
  negotiationPayloadSize: MIB,
  negotiationMessagesPerParticipant: { count: 600, period: MINUTE },
  sessionStartsPerParticipant: { count: 60, period: MINUTE },
  openSessionsPerParticipant: 1000,
  sessionStarts: { count: 6000, period: MINUTE },
  openSessions: 100_000,
};

/** The limits in dev mode, where experiments must not hit a rate limit. */
export const DEV_LIMITS: LimitsConfig = {
  ...DEFAULT_LIMITS,
  messagesPerParticipant: { count: 100_000, period: SECOND },
  negotiationMessagesPerParticipant: { count: 100_000, period: SECOND },
  sessionStartsPerParticipant: { count: 100_000, period: SECOND },
  sessionStarts: { count: 100_000, period: SECOND },
};

/** Limits as written. */
export type WrittenLimits = { readonly [Key in keyof LimitsConfig]: LimitsConfig[Key] | undefined };

/** The keys under `limits`. */
export const LIMITS: Field<WrittenLimits> = section<WrittenLimits>({
  messageSize: optional(size(KIB, 64 * MIB)),
  messageDepth: optional(wholeNumber(4, 512)),
  messagesPerParticipant: optional(rate()),
  badMessagesPerConnection: optional(rate()),
  connectionsPerToken: optional(wholeNumber(1, 1_000_000)),
  streamsPerToken: optional(wholeNumber(1, 1_000_000)),
  pendingProposalsPerParticipant: optional(wholeNumber(1, 10_000_000)),
  unacknowledgedPerConnection: optional(size(64 * KIB, 4096 * MIB)),
  negotiationPayloadSize: optional(size(KIB, 64 * MIB)),
  negotiationMessagesPerParticipant: optional(rate()),
  sessionStartsPerParticipant: optional(rate()),
  openSessionsPerParticipant: optional(wholeNumber(1, 1_000_000)),
  sessionStarts: optional(rate()),
  openSessions: optional(wholeNumber(1, 10_000_000)),
});
