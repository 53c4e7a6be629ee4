import { expect, it } from 'vitest';
import type { LiveStory } from '../story.js';
import { modeStories } from './stories.js';

/** How each story ends, by its title. */
const ENDINGS: Readonly<Record<string, string>> = {
  'A decision': '2 of 3 approve, so meeting.berlin is committed.',
  'A delegated task': 'bob delivered "Hallo!".',
  'A handoff': 'bob holds it, and knows: Incident 4711: the disk is full.',
  'A quorum': '2 of 2 required approvals: the release is committed.',
  'Values that meet': 'All say 5 days, after ',
  'A release, in four modes': 'Release 2.0 is out, approved by 2, and ann watches it.',
};

it.each(modeStories.map((story) => [story.title, story] as [string, LiveStory]))(
  'N-12: %s goes as it says',
  async (title, story) => {
    const lines: string[] = [];
    await story.tell((line) => lines.push(line));
    expect(lines.at(-1)).toContain(ENDINGS[title]);
  },
);
