/** The mode in which participants compare options, vote, and one of them commits the choice. */
export const DECISION_MODE = 'macp.mode.decision.v1';

/** The one supported version of {@link DECISION_MODE}. */
export const DECISION_MODE_VERSION = '1.0.0';
