import { useEffect, useMemo, useState } from 'preact/hooks';
import { Marked } from '../text/marked.js';
import type { LineState, Token } from './code-tokens.js';
import type { Language } from './language.js';
import { Pieces } from './pieces.js';

type TokensOf = typeof import('./code-tokens.js').tokensOf;

let loaded: TokensOf | undefined;

/** Colours a line after another; `undefined` if there is no language, or until what does it is loaded. */
export function useTokens(language: Language | undefined): TokensOf | undefined {
  const [, redraw] = useState(false);
  useEffect(() => {
    if (language === undefined || loaded !== undefined) return;
    const load = async (): Promise<void> => {
      loaded = (await import('./code-tokens.js')).tokensOf;
      redraw(true);
    };
    // Without colours it reads as well.
    load().catch(() => {});
  }, [language]);
  return language === undefined ? undefined : loaded;
}

interface CodeLinesProps {
  readonly lines: readonly string[];
  readonly language: Language | undefined;
}

/** Code line by line, each with its number and in full. */
export function CodeLines({ lines, language }: CodeLinesProps) {
  const tokensOf = useTokens(language);
  const tokens = useMemo(() => {
    let state: LineState = '';
    return lines.map((line) => {
      if (tokensOf === undefined || language === undefined) return undefined;
      const found = tokensOf(line, language, state);
      ({ state } = found);
      return found.tokens;
    });
  }, [lines, language, tokensOf]);
  return (
    <Pieces
      of={lines}
      draw={(some, from) =>
        some.map((line, index) => (
          <div key={index} class="code-line" data-line={from + index + 1}>
            <CodeLine text={line} tokens={tokens[from + index]} />
          </div>
        ))
      }
    />
  );
}

interface CodeLineProps {
  readonly text: string;
  readonly tokens: readonly Token[] | undefined;
}

/** One line, in colours once they are known. */
export function CodeLine({ text, tokens }: CodeLineProps) {
  if (tokens === undefined || tokens.length === 0) return <Marked text={text} />;
  return (
    <>
      {tokens.map(({ text: part, kind }, index) =>
        kind === undefined ? (
          <Marked key={index} text={part} />
        ) : (
          <span key={index} class={`code-${kind}`}>
            <Marked text={part} />
          </span>
        ),
      )}
    </>
  );
}
