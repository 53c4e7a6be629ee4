import type { Refusal } from '@proffer/core';
import type { SpaceScope } from '../../feed.js';
import { EVERY_SPACE } from '../../journal.js';
import { type Unavailable, unavailable } from '../../outcome.js';
import type { Subjects } from '../messages/subjects.js';

/** Beyond this many spaces with foreign messages, all are stopped: the list of them must not grow without end (I-7). */
const MAX_SPACES = 1_000;

/**
 * Spaces with a message that no gateway wrote. What is after it may depend on it, so nothing there is delivered or
 * decided until somebody has looked into it and the gateway is restarted.
 */
export class StoppedSpaces {
  readonly #subjects: Subjects;
  readonly #onStopped: (space: string, refusal: Refusal) => void;
  readonly #reasons = new Map<string, Refusal>();

  /** @param onStopped - called once for each space, with its name as in subjects, and why */
  constructor(subjects: Subjects, onStopped: (space: string, refusal: Refusal) => void) {
    this.#subjects = subjects;
    this.#onStopped = onStopped;
  }

  /** Stops the space of a subject. */
  stop(subject: string, why: Refusal): void {
    const space = this.#subjects.spaceIn(subject);
    if (this.#reasons.has(space) || this.#reasons.size > MAX_SPACES) return;
    this.#reasons.set(space, why);
    this.#onStopped(space, why);
  }

  /** Why nothing more happens in a space; `undefined` if it does. For every space: if one of them is stopped. */
  reasonIn(space: SpaceScope): Refusal | undefined {
    if (this.#reasons.size === 0) return undefined;
    const [first] = this.#reasons.values();
    if (space === EVERY_SPACE || this.#reasons.size > MAX_SPACES) return first;
    return this.#reasons.get(this.#subjects.spaceToken(space));
  }

  /** The answer to an append to a stopped space; `undefined` for others. It names no subject: senders see it. */
  answerIn(space: SpaceScope): Unavailable | undefined {
    const reason = this.reasonIn(space);
    if (reason === undefined) return undefined;
    const message = 'The space is stopped: its journal has a record that no gateway wrote.';
    return unavailable(message, { cause: reason.code });
  }

  /** The stopped spaces, with the reasons. */
  all(): Iterable<readonly [space: string, why: Refusal]> {
    return this.#reasons;
  }

  /** Whether the space of a subject is stopped. */
  hasSubject(subject: string): boolean {
    if (this.#reasons.size === 0) return false;
    return this.#reasons.size > MAX_SPACES || this.#reasons.has(this.#subjects.spaceIn(subject));
  }
}
