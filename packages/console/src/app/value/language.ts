import type { JsonObject } from '@proffer/core/json';
import { createContext } from 'preact';

/** Languages that are coloured alike. */
export type Language = 'c' | 'script' | 'sql' | 'json' | 'yaml' | 'markup';

/** The language of the file that the arguments around a text name. */
export const LanguageContext = createContext<Language | undefined>(undefined);

const ENDINGS: readonly (readonly [RegExp, Language])[] = [
  [/\.(?:[cm]?[jt]sx?|c|cc|cpp|h|hpp|cs|java|kts?|go|rs|swift|php|scala|dart|proto|css|scss)$/i, 'c'],
  [/\.(?:py|sh|bash|zsh|rb|pl|r|ps1|mk|tf)$|(?:^|[\\/])(?:Makefile|Dockerfile)$/i, 'script'],
  [/\.sql$/i, 'sql'],
  [/\.jsonc?$/i, 'json'],
  [/\.(?:ya?ml|toml|ini|cfg|conf|env|properties)$/i, 'yaml'],
  [/\.(?:html?|xml|svg|vue)$/i, 'markup'],
];

const NAMES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:command|cmd|script|shell)$/i, 'script'],
  [/^sql$/i, 'sql'],
];

const PATHS = /^(?:path|file|file_?path|file_?name|uri|notebook_path)$/i;

/** The language of a text by the name of its argument. */
export function languageOfName(name: string): Language | undefined {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** The language of the file that some arguments name. */
export function languageOfFile(given: JsonObject): Language | undefined {
  for (const [name, value] of Object.entries(given))
    if (PATHS.test(name) && typeof value === 'string')
      return ENDINGS.find(([pattern]) => pattern.test(value))?.[1];
  return undefined;
}
