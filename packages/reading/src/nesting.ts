import type { CST } from 'yaml';
import { yamlLibrary } from './yaml-library.js';

/** Limits for YAML: nesting depth and number of values. */
export interface YamlLimits {
  readonly levels: number;
  readonly values: number;
}

/**
 * Which limit the YAML exceeds, judged from its tokens alone. The parser recurses as deep as the
 * nesting and takes far longer per value, so a crafted text could exhaust the stack or keep it busy
 * for minutes.
 */
export function excessOf(text: string, most: YamlLimits): keyof YamlLimits | undefined {
  /** The columns at which the open blocks start. */
  const blocks: number[] = [];
  let flows = 0;
  let values = 0;
  let column = 0;
  let isLineStart = true;
  const openBlock = (): boolean => {
    blocks.push(column);
    return blocks.length + flows > most.levels;
  };
  const library = yamlLibrary();
  for (const token of new library.Lexer().lex(text)) {
    const type = library.CST.tokenType(token);
    if (isOneValue(type) && ++values > most.values) return 'values';
    if (type === 'newline') {
      column = 0;
      isLineStart = true;
      continue;
    }
    if (type === 'space' || type === 'byte-order-mark' || type === 'doc-mode' || type === 'scalar') {
      if (type === 'space') column += token.length;
      continue;
    }
    if (isLineStart && flows === 0 && type !== 'comment') {
      while ((blocks.at(-1) ?? -1) >= column) blocks.pop();
      if (openBlock()) return 'levels';
    }
    isLineStart = false;
    if (type === 'flow-map-start' || type === 'flow-seq-start') {
      if (blocks.length + ++flows > most.levels) return 'levels';
    } else if (type === 'flow-map-end' || type === 'flow-seq-end') flows = Math.max(0, flows - 1);
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') {
      if (openBlock()) return 'levels';
    }
    column += token.length;
  }
  return undefined;
}

/** For a pair without a value or an empty item, the surrounding token counts. */
function isOneValue(type: CST.TokenType | null): boolean {
  switch (type) {
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar-header':
    case 'alias':
    case 'flow-map-start':
    case 'flow-seq-start':
    case 'seq-item-ind':
      return true;
    default:
      return false;
  }
}
