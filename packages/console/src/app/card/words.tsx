import { Marked } from '../text/marked.js';
import { LongText } from '../value/long-text.js';

interface WordsProps {
  readonly proposer: string;
  readonly reason: string | undefined;
}

/** Why the proposer asks, in its own words and marked as such: they are unverified. */
export function Words({ proposer, reason }: WordsProps) {
  if (reason === undefined || reason === '') return null;
  return (
    <section class="box words" data-section="words">
      <h2>
        <span>
          <Marked text={proposer} />
          ’s reason
        </span>
      </h2>
      <blockquote class="pad">
        <LongText text={reason} isCode={false} />
      </blockquote>
    </section>
  );
}
