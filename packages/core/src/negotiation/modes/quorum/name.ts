/** The mode in which enough participants approve one request, or too few can. */
export const QUORUM_MODE = 'macp.mode.quorum.v1';

/** The one supported version of {@link QUORUM_MODE}. */
export const QUORUM_MODE_VERSION = '1.0.0';
