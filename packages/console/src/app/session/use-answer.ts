import type { Message } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { AskError, ask } from './http.js';

/** The gateway's last answer. */
interface Answered {
  /** Absent before the first answer. */
  readonly answer?: JsonObject;
  /** Why there is no newer one. */
  readonly problem?: AskError;
}

export interface AnswerOptions {
  /** Whether a message may change the answer. Default: never. */
  readonly isNews?: (message: Message, answer: JsonObject | undefined) => boolean;
  /**
   * The minimum interval between requests, in milliseconds: they count against the message rate. Default:
   * 500.
   */
  readonly pause?: number;
  /** Also polled at this interval, in milliseconds. */
  readonly every?: number;
}

/**
 * The gateway's answer at a path; refreshed when there is news, and after a reconnect. The old answer stays
 * if refreshing fails.
 */
export function useAnswer(
  space: Space,
  path: string,
  { isNews, pause = 500, every }: AnswerOptions = {},
): Answered {
  const [answered, setAnswered] = useState<Answered>({});
  useEffect(() => {
    const now: { isReading: boolean; isStale: boolean; isGone: boolean; last: Answered } = {
      isReading: false,
      isStale: false,
      isGone: false,
      last: {},
    };
    setAnswered(now.last);
    async function read(): Promise<void> {
      now.isStale = true;
      if (now.isReading) return;
      now.isReading = true;
      while (now.isStale && !now.isGone) {
        now.isStale = false;
        now.last = await ask(path, space.token).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ ...now.last, problem: problemOf(error) }),
        );
        if (!now.isGone) setAnswered(now.last);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      now.isReading = false;
    }
    void read();
    const timer = every === undefined ? undefined : setInterval(() => void read(), every);
    const stops = [
      space.participant.on('message', (message) => {
        if (isNews?.(message, now.last.answer) === true) void read();
      }),
      space.participant.on('welcome', () => void read()),
    ];
    return () => {
      now.isGone = true;
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, [space, path]);
  return answered;
}

function problemOf(error: unknown): AskError {
  return error instanceof AskError ? error : new AskError(String(error));
}
