import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { announcedRules, draftOf } from '../rulebook/index.js';
import { summarizeWatched } from '../watching/index.js';
import { readRecent } from './recent-history.js';

/**
 * `GET /spaces/{space}/rules/watched`: what guards, hooks and adapters only watched lately (O-50). Rules that somebody has
 * already are not suggested.
 */
export async function answerWatched(request: SpaceRequest): Promise<JsonObject> {
  const { entries } = await readRecent(request);
  const found = summarizeWatched(entries);
  if (found === undefined) return {};
  const { suggested, ...counts } = found;
  const known = new Set<string | undefined>();
  for (const { rules } of request.participants()) {
    const read = rules === undefined ? undefined : announcedRules(rules);
    if (read?.ok === true) for (const { name } of read.value.rules) known.add(name);
  }
  const views = suggested
    .filter(({ rule }) => !known.has(rule.name))
    .map(({ rule, calls }) => {
      const { words, text } = draftOf(rule);
      return { name: rule.name, words, text, answers: calls.size };
    });
  return { watched: { ...counts, suggested: views } };
}
