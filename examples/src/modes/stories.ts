import type { LiveStory } from '../story.js';
import { decision } from './decision.js';
import { handoff } from './handoff.js';
import { quorum } from './quorum.js';
import { release } from './release.js';
import { rounds } from './rounds.js';
import { task } from './task.js';

/** A story for each mode but Proposal Mode, which has its own, and one that uses several. */
export const modeStories: readonly LiveStory[] = [decision, task, handoff, quorum, rounds, release];
