import type { ErrorCode } from 'yaml';

const OTHERS = 'This is not YAML that can be understood.';

// Sentences of our own, because the parser's may quote the file, and with it a secret.
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'This alias (`*name`) is not well formed.',
  BAD_DQ_ESCAPE:
    'A double-quoted text has an escape that YAML does not know; use single quotes for plain text.',
  BAD_INDENT: 'The indentation is wrong: keys of one section start in the same column.',
  BAD_SCALAR_START: 'A value cannot begin with this character; put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY:
    'There is a second `key: value` on this line; put it on its own line, or quote the value.',
  BLOCK_IN_FLOW: 'Inside [ ] and { } everything is written with commas, not with lines and dashes.',
  DUPLICATE_KEY: 'This key is there twice; keep one of them.',
  MISSING_CHAR:
    'A closing or separating character is missing before here: a quote, a bracket, a comma, or a space.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line; perhaps the colon behind it is missing.',
  MULTIPLE_DOCS: 'There is a second document (`---`); the configuration is one document.',
  NON_STRING_KEY: 'A key must be text.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'Tags (`!name`) are not used here; remove it.',
  UNEXPECTED_TOKEN:
    'This does not belong here; perhaps the indentation, a quote or a comma before it is wrong.',
};

/** What a fault of syntax means, without any of the text that has it. */
export function explainYaml(code: ErrorCode): string {
  return SENTENCES[code] ?? OTHERS;
}
