import { CST, Lexer } from 'yaml';

/**
 * Whether YAML is nested deeper than this, told from its tokens alone: what reads it goes as deep as it is
 * nested, and a text that is made for it would exhaust the stack.
 */
export function isTooDeep(text: string, most: number): boolean {
  /** The columns at which the open blocks begin. */
  const blocks: number[] = [];
  let flows = 0;
  let column = 0;
  let isLineStart = true;
  const openBlock = (): boolean => {
    blocks.push(column);
    return blocks.length + flows > most;
  };
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
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
      if (openBlock()) return true;
    }
    isLineStart = false;
    if (type === 'flow-map-start' || type === 'flow-seq-start') {
      if (blocks.length + ++flows > most) return true;
    } else if (type === 'flow-map-end' || type === 'flow-seq-end') flows = Math.max(0, flows - 1);
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind') {
      if (openBlock()) return true;
    }
    column += token.length;
  }
  return false;
}
