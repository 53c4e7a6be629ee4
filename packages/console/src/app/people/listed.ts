import type { Message } from '@proffer/client';
import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';

interface Listed {
  readonly items: readonly JsonObject[];
  /** Why it could not be read. */
  readonly problem?: string;
}

/** Between two readings, in milliseconds: reading counts against the rate of messages. */
const PAUSE = 500;

/**
 * What the gateway lists under a name, such as `grants`; read again when a message comes after which it may differ, and
 * when the connection is back.
 */
export function useListed(
  space: Space,
  name: string,
  isNews: (message: Message, items: readonly JsonObject[]) => boolean,
): Listed {
  const [listed, setListed] = useState<Listed>({ items: [] });
  useEffect(() => {
    const now = { isReading: false, isStale: false, isGone: false, items: [] as readonly JsonObject[] };
    const path = `/spaces/${encodeURIComponent(space.name)}/${name}`;
    async function read(): Promise<void> {
      now.isStale = true;
      if (now.isReading) return;
      now.isReading = true;
      while (now.isStale && !now.isGone) {
        now.isStale = false;
        const next = await ask(path, space.token).then(
          ({ [name]: items }) => ({ items: isJsonArray(items) ? items.filter(isJsonObject) : [] }),
          (error: unknown) => ({
            items: [],
            problem: error instanceof Error ? error.message : String(error),
          }),
        );
        now.items = next.items;
        if (!now.isGone) setListed(next);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      now.isReading = false;
    }
    void read();
    const stops = [
      space.participant.on('message', (message) => {
        if (isNews(message, now.items)) void read();
      }),
      space.participant.on('welcome', () => void read()),
    ];
    return () => {
      now.isGone = true;
      for (const stop of stops) stop();
    };
  }, [space, name]);
  return listed;
}
