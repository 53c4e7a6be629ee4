import { PROPOSAL_MODE } from '@proffer/core/negotiation';
import type { ModeMessages } from './mode-messages.js';
import { proposalMessages } from './proposal.js';

/** The messages of every mode that is served, by its name. A test holds it complete. */
export const MODES: ReadonlyMap<string, ModeMessages> = new Map([[PROPOSAL_MODE, proposalMessages]]);
