import type { Capability } from './capability.js';

const ACTING = ['mcp.proposal.', 'mcp.request.'];

/**
 * Whether any of these capabilities lets its owner propose or call something, as opposed to
 * answering, announcing, deciding others' proposals, or chatting.
 */
export function mayAct(capabilities: Iterable<Capability>): boolean {
  for (const { kind } of capabilities) {
    const [beginning = ''] = kind.text.split('*', 1);
    const isWhole = beginning.length === kind.text.length;
    if (ACTING.some((acting) => beginning.startsWith(acting) || (!isWhole && acting.startsWith(beginning))))
      return true;
  }
  return false;
}
