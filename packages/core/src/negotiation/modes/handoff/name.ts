/** The mode in which the owner of a responsibility hands it to another participant. */
export const HANDOFF_MODE = 'macp.mode.handoff.v1';

/** The one supported version of {@link HANDOFF_MODE}. */
export const HANDOFF_MODE_VERSION = '1.0.0';
