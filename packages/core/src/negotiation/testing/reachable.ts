import { canonicalJson } from '../../json/canonical.js';
import { modeOf } from '../modes/registry.js';
import { given, type Story } from './given.js';
import type { Step } from './steps.js';

/**
 * A session in every state that these messages can lead to, each with one history that leads there. Messages may come
 * in any order and any number; those that are refused change nothing.
 *
 * @param isTried - whether to go on from a session. Default: always, for modes with a bounded number of states
 */
export function reachable(
  start: Step,
  messages: readonly Step[],
  isTried: (story: Story) => boolean = () => true,
): readonly Story[] {
  const found = new Map<string, Story>();
  const open = [given(start)];
  for (let story = open.pop(); story !== undefined; story = open.pop()) {
    const key = keyOf(story);
    if (found.has(key) || !isTried(story)) continue;
    found.set(key, story);
    for (const message of messages) {
      const next = story.when(message);
      if (next.result === 'accepted') open.push(next);
    }
  }
  return [...found.values()];
}

function keyOf({ state }: Story): string {
  if (state === undefined) throw new Error('The story has no session.');
  return canonicalJson({ status: state.status, negotiation: modeOf(state).encode(state.negotiation) });
}
