import type { Edited, OwnCallOutcome } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { objectAt, type RpcAnswer } from '../json-rpc.js';
import { OUTCOME_KEY } from './answers.js';

/**
 * The maximum size of a result that the space gets, in characters. Larger ones go to the caller only: the
 * space limits messages, and a journal is not a file store.
 */
const LARGEST_KEPT = 262_144;

const NOT_KEPT = 'not_kept';

/** What is sent to the space as the result: the result itself, or its size if it is too large. */
export function keptResult(result: JsonObject): JsonObject {
  const { length } = JSON.stringify(result);
  if (length <= LARGEST_KEPT) return result;
  const text = `The result has ${length} characters; it goes only to the caller and is not kept here.`;
  return {
    content: [{ type: 'text', text }],
    ...(result['isError'] === true ? { isError: true } : {}),
    _meta: { [OUTCOME_KEY]: { code: NOT_KEPT, characters: length } },
  };
}

/** The outcome of a call if the space has only the size of its answer; `undefined` if it has the answer. */
export function lostInAnswer(answer: RpcAnswer, edited: Edited): OwnCallOutcome | undefined {
  if ('error' in answer) return undefined;
  const { code, characters } = objectAt(objectAt(answer.result, '_meta'), OUTCOME_KEY);
  if (code !== NOT_KEPT || typeof characters !== 'number') return undefined;
  return { type: 'lost', characters, isError: answer.result['isError'] === true, ...edited };
}

/** An outcome without its content: that it ran, and the size of its result. Other outcomes stay unchanged. */
export function withoutResult(outcome: OwnCallOutcome): OwnCallOutcome {
  if (outcome.type !== 'ran') return outcome;
  const { result, by, edit } = outcome;
  const characters = JSON.stringify(result).length;
  return { type: 'lost', characters, isError: result['isError'] === true, by, edit };
}
