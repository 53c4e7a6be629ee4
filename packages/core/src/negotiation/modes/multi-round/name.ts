/** The extension mode in which participants change their values until all are the same. */
export const MULTI_ROUND_MODE = 'ext.multi_round.v1';

/** The one supported version of {@link MULTI_ROUND_MODE}. */
export const MULTI_ROUND_MODE_VERSION = '1.0.0';
