import { type Refusal, refuse } from '@proffer/core';
import {
  defined,
  describe,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  quote,
} from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { pastProposals } from '../history/past-proposals.js';
import { announcedRules, type RulesDraft, readDraft, tryDraft } from '../rulebook/index.js';
import type { RuleSet } from '../rules/rule-set.js';
import type { Slices } from './in-slices.js';
import { readRecent } from './recent-history.js';
import { someOf, viewCase } from './views.js';

/**
 * The maximum length of a draft in characters, and its maximum number of rules: a draft adds some
 * rules, it is not a whole file.
 */
const LONGEST_DRAFT = 16_384;
const MAX_RULES = 50;

/**
 * `POST /spaces/{space}/rules/try` with `{ rules, behind? }`: what a draft would have decided,
 * optionally behind the rules of a participant. An invalid draft is answered with `problems`.
 */
export async function answerTry(
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const asked = readAsked(request);
  if ('refused' in asked) return asked;
  const draft = readDraft(asked.text, asked.behind);
  if (!draft.ok) {
    const { problems } = draft.refusal.details;
    return { problems: problems as JsonObject[] };
  }
  if (draft.value.own.rules.length > MAX_RULES) {
    const what = `The draft has ${draft.value.own.rules.length} rules; at most ${MAX_RULES} can be tried here.`;
    return { refused: refuse('too_large', what, { limit: MAX_RULES }) };
  }
  return await tried(draft.value, request, slices);
}

async function tried(
  draft: RulesDraft,
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const recent = await readRecent(request);
  const past = pastProposals(recent.entries);
  const result = await slices.run(tryDraft(draft, past));
  if (!result.ok) return { refused: result.refusal };
  const { version, words, otherwise, counts, already, different, newlyAutomatic } = result.value;
  return {
    version,
    words: words as readonly object[] as readonly JsonObject[],
    ...defined({ otherwise }),
    counts: { ...counts },
    already,
    different: someOf(different, viewCase),
    newlyAutomatic: someOf(newlyAutomatic, viewCase),
    history: { ...recent.extent, proposals: past.length, skipped: recent.skipped },
  };
}

function readAsked({
  body,
  participants,
}: SpaceRequest): { readonly text: string; readonly behind?: RuleSet } | { readonly refused: Refusal } {
  const parsed = parseJson(body);
  if (!parsed.ok) return { refused: parsed.refusal };
  if (!isJsonObject(parsed.value)) {
    const [found, expected] = [describe(parsed.value), 'an object'];
    const what = `The body is ${found}; expected ${expected}.`;
    return { refused: refuse('invalid_json', what, { found, expected }) };
  }
  const { rules: text, behind } = parsed.value;
  if (text === undefined) {
    const what = 'The body has no rules; expected the text of a rule file.';
    return { refused: refuse('missing_field', what, { field: 'rules' }) };
  }
  if (typeof text !== 'string') return wrongType('rules', text, 'the text of a rule file');
  if (behind !== undefined && typeof behind !== 'string')
    return wrongType('behind', behind, 'the name of a participant');
  if (text.length > LONGEST_DRAFT) {
    const what = `The draft has ${text.length} characters; at most ${LONGEST_DRAFT} can be tried here.`;
    return { refused: refuse('too_large', what, { limit: LONGEST_DRAFT }) };
  }
  if (behind === undefined) return { text };
  const owner = [...participants()].find(({ name }) => name === behind);
  if (owner?.rules === undefined) {
    const what = `${quote(behind)} has announced no rules.`;
    return { refused: refuse('target_not_found', what, { participant: behind }) };
  }
  const read = announcedRules(owner.rules);
  return read.ok ? { text, behind: read.value } : { refused: read.refusal };
}

function wrongType(field: string, value: JsonValue, expected: string): { readonly refused: Refusal } {
  const found = describe(value);
  const what = `${field} is ${found}; expected ${expected}.`;
  return { refused: refuse('invalid_field', what, { field, found, expected }) };
}
