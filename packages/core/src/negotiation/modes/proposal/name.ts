/** The mode in which parties exchange proposals until they agree. */
export const PROPOSAL_MODE = 'macp.mode.proposal.v1';

/** The one supported version of {@link PROPOSAL_MODE}. */
export const PROPOSAL_MODE_VERSION = '1.0.0';
