import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { draftOf } from '../rulebook/index.js';
import { summarizeWatched } from '../watching/index.js';
import { readRecent } from './recent-history.js';

/** `GET /spaces/{space}/rules/watched`: what guards, hooks and adapters only watched lately (O-50). */
export async function answerWatched(request: SpaceRequest): Promise<JsonObject> {
  const { entries } = await readRecent(request);
  const found = summarizeWatched(entries);
  if (found === undefined) return {};
  const { suggested, ...counts } = found;
  const rules = suggested.map(({ rule, calls }) => {
    const { words, text } = draftOf(rule);
    return { name: rule.name, words, text, answers: calls.size };
  });
  return { watched: { ...counts, suggested: rules } };
}
