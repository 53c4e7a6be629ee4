import type { Message } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useAnswer } from '../session/use-answer.js';
import type { Space } from '../space/space.js';

interface Listed {
  /** The last list; absent before the first answer. */
  readonly items?: readonly JsonObject[];
  /** Why there is nothing newer. */
  readonly problem?: string;
}

/** What the gateway lists under a name, such as `grants`; refreshed after a message that may change it. */
export function useListed(
  space: Space,
  name: string,
  isNews: (message: Message, items: readonly JsonObject[]) => boolean,
): Listed {
  const { answer, problem } = useAnswer(space, `/spaces/${encodeURIComponent(space.name)}/${name}`, {
    isNews: (message, before) => isNews(message, objectsIn(before?.[name])),
  });
  return {
    ...(answer === undefined ? {} : { items: objectsIn(answer[name]) }),
    ...(problem === undefined ? {} : { problem: problem.message }),
  };
}
