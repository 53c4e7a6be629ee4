import type { JsonObject } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';

/** The pause in typing before a draft is tried, in milliseconds. */
const PAUSE = 400;

/** The result of trying a draft. */
export type Tried =
  | { readonly state: 'trying' }
  | { readonly state: 'refused'; readonly problem: string }
  | { readonly state: 'tried'; readonly result: JsonObject };

/**
 * Tries a draft against the history, shortly after its last change.
 *
 * @param behind - whose rules come before it, if any
 */
export function useTried(space: Space, text: string, behind: string): Tried {
  const [tried, setTried] = useState<Tried>({ state: 'trying' });
  useEffect(() => {
    setTried({ state: 'trying' });
    let isOld = false;
    const timer = setTimeout(() => {
      const draft = { rules: text, ...(behind === '' ? {} : { behind }) };
      ask(`/spaces/${encodeURIComponent(space.name)}/rules/try`, space.token, draft).then(
        (result) => isOld || setTried({ state: 'tried', result }),
        (error: unknown) =>
          isOld ||
          setTried({ state: 'refused', problem: error instanceof Error ? error.message : String(error) }),
      );
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [space, text, behind]);
  return tried;
}
