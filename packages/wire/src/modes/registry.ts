import { PROPOSAL_MODE } from '@proffer/core/negotiation';
import type { ModeMessages } from './mode-messages.js';
import { proposalMessages } from './proposal.js';

/** The messages of every supported mode, by name. A test checks that none is missing. */
export const MODES: ReadonlyMap<string, ModeMessages> = new Map([[PROPOSAL_MODE, proposalMessages]]);
