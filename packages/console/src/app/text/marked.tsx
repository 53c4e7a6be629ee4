import { hideInText } from '@proffer/core/secrets';
import { makeVisible, segmentText, type TextSegment } from '@proffer/core/text';
import { useLayoutEffect } from 'preact/hooks';
import { useHiding } from './hiding.js';
import { memo } from './memo.js';

/** With more than this, each is written out as text: a page of a million elements would freeze. */
const MAX_MARKS = 500;

/**
 * Text from others, exactly as it is and never as markup. Invisible characters, and letters that pass for others, are
 * shown by their codes; every piece is isolated, so that it cannot reorder the text around it. Secrets are hidden.
 */
export const Marked = memo(({ text }: { readonly text: string }) => {
  const hiding = useHiding();
  const shown = hiding.text(text);
  const hasHidden = shown.includes('[redacted');
  useLayoutEffect(() => {
    if (hasHidden) hiding.onHidden?.();
  }, [hasHidden, hiding]);
  const segments = segmentText(shown, { multiline: true });
  if (segments.length > MAX_MARKS) return <bdi>{segments.map(shownText).join('')}</bdi>;
  return (
    <bdi>
      {segments.map((segment, place) =>
        segment.type !== 'plain' ? (
          <Mark key={place} segment={segment} />
        ) : hasHidden ? (
          <Covered key={place} text={segment.text} />
        ) : (
          segment.text
        ),
      )}
    </bdi>
  );
});

/** Sets hidden values apart from the text around them. */
function Covered({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(\[redacted(?: \d+)?\])/).map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          <span key={place} class="covered">
            {part}
          </span>
        ),
      )}
    </>
  );
}

function Mark({ segment }: { readonly segment: Exclude<TextSegment, { type: 'plain' }> }) {
  if (segment.type === 'suspicious')
    return (
      <span class="mark" title={`Letters of different alphabets: ${segment.scripts.join(', ')}`}>
        {segment.shown}
      </span>
    );
  const code = `U+${segment.codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return (
    <span class="mark" title={`An invisible character: ${segment.name ?? segment.reason}`}>
      {code}
    </span>
  );
}

function shownText(segment: TextSegment): string {
  return segment.type === 'plain' ? segment.text : segment.shown;
}

/** Right-to-left letters: Hebrew, Arabic and related scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text as plain text on one line, for titles, summaries and inside sentences. Right-to-left text is
 * isolated, so that it cannot reorder the sentence around it: `FSI` and `PDI` are ours, since those in the
 * text itself are shown by their codes. Secrets are hidden.
 */
export function plainLine(text: string): string {
  return revealedLine(hideInText(text));
}

/** A text on one line, with its secrets. */
export function revealedLine(text: string): string {
  const line = makeVisible(text.replaceAll(/\s*\n\s*/g, ' ↵ '));
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}
