import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** What may occur between the parts of a line: separators, operators, keywords, comments. */
const BETWEEN =
  /^(?:\s|\\\n|;|&|\||!|#[^\n]*|\b(?:if|then|elif|else|fi|for|select|in|do|done|while|until|case|esac|function|time|coproc)\b)*$/;

/**
 * Whether something in a line is missing from its tree. The parser is tolerant: it leaves out what it
 * cannot place, and that may be what matters.
 */
export function hasLeftovers(script: ParsedScript, text: string): boolean {
  // Positions count UTF-16 units.
  const units = text.split('');
  const blank = (from: number, to: number): void => void units.fill(' ', from, to);
  const visit = (node: SyntaxNode): void => {
    const { pos, end } = node;
    switch (node.type) {
      case 'Word':
      case 'Assignment':
      case 'Redirect':
      case 'HereString':
      case 'TestCommand':
      case 'ArithmeticCommand':
      case 'Time':
        blank(pos, end);
        return;
      case 'HereDoc':
        blank(pos, end);
        blank(node.body.pos, node.body.end);
        if (node.closing !== undefined) blank(node.closing.pos, node.closing.end);
        return;
      case 'Subshell':
      case 'BraceGroup':
        blank(pos, pos + 1);
        blank(end - 1, end);
        break;
      case 'Function':
        blank(pos, node.body.pos);
        break;
      case 'ArithmeticFor':
        blank(pos, node.body.pos);
        break;
      case 'CaseItem':
        blank(pos, node.body.pos);
        break;
      case 'Case':
        blank(node.word.pos, node.word.end);
        for (const { body, end: itemEnd } of node.items) blank(body.end, itemEnd);
        break;
      default:
        break;
    }
    forEachChild(node, visit);
  };
  visit(script);
  return !BETWEEN.test(units.join(''));
}
