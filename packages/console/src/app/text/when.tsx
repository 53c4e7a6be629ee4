import type { ComponentChildren } from 'preact';
import { useNow } from '../state/clock.js';
import { dayAndTime, relative } from './words.js';

interface WhenProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What is written in place of `4 min ago`, such as the time since another step. */
  readonly children?: ComponentChildren;
}

/** A moment as people say it, `4 min ago` or `in 3 h`, with date and time as its title. */
export function When({ at, children }: WhenProps) {
  return (
    <time dateTime={new Date(at).toISOString()} title={dayAndTime(at)}>
      {children ?? <Relative at={at} />}
    </time>
  );
}

function Relative({ at }: Pick<WhenProps, 'at'>) {
  const now = useNow(Math.abs(Date.now() - at) < 60_000 ? 1_000 : 30_000);
  return <>{relative(at, now)}</>;
}
