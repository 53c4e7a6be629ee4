import type { Endpoint } from '../connection/endpoint.js';
import { whereOptions } from '../connection/gateway-url.js';
import type { Shell } from '../terminal/shell.js';
import type { Style } from '../terminal/style.js';

/** How the next command is written, so that it can be pasted and is not refused. */
export interface Hint {
  readonly style: Style;
  /** The command up to the session. */
  readonly command: (name: string, session: string) => string;
  /** The options behind it: where the gateway is, and who speaks where a name says it. */
  readonly as: (speaker?: string) => string;
}

/** Hints at the gateway that a command was about. */
export function createHint(endpoint: Endpoint, { name, style }: Pick<Shell, 'name' | 'style'>): Hint {
  const { assumed, given } = endpoint;
  const where = whereOptions({ ...endpoint, space: 'main' });
  return {
    style,
    command: (verb, session) => `${name} negotiate ${verb} ${session}`,
    as(speaker = given.as) {
      const isNamed = given.as !== undefined || assumed;
      return isNamed && speaker !== undefined ? ` --as ${speaker}${where}` : where;
    },
  };
}
