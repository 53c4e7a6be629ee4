import { agreedPayment } from '../agreed-payment/story.js';
import { budgetNegotiation } from '../budget-negotiation/story.js';
import { contractNegotiation } from '../contract-negotiation/story.js';
import { multiRound } from '../multi-round/story.js';
import { returningParty } from '../returning-party/story.js';
import type { LiveStory } from '../story.js';
import { terminalRejection } from '../terminal-rejection/story.js';

/** Negotiation stories, over gRPC. */
export const negotiationStories: readonly LiveStory[] = [
  contractNegotiation,
  multiRound,
  budgetNegotiation,
  terminalRejection,
  returningParty,
  agreedPayment,
];
