import { type Endpoint, whereOptions } from '../connection/endpoint.js';
import { type CommandParts, commandAbout, type Shell, type Style, shellWord } from '../terminal/shell.js';

/** Writes the next command so that it can be pasted and is not refused. */
export interface Hint {
  readonly style: Style;
  /**
   * A command about a session, or something in it, with the options for the gateway, and for the sender if a name
   * identifies it.
   *
   * @param said - see {@link CommandParts}; `sender`: the sender, if it is another one
   */
  readonly command: (
    verb: string,
    names: readonly [session: string, ...string[]],
    said?: CommandParts & { readonly sender?: string },
  ) => string;
}

/** Hints at the gateway that a command was about. */
export function createHint(endpoint: Endpoint, { name, style }: Pick<Shell, 'name' | 'style'>): Hint {
  const { assumed, given } = endpoint;
  const where = whereOptions({ ...endpoint, space: 'main' });
  return {
    style,
    command(verb, names, { more = '', options = '', sender = given.as } = {}) {
      const isNamed = given.as !== undefined || assumed;
      const as = isNamed && sender !== undefined ? ` --as ${shellWord(sender)}` : '';
      return commandAbout(`${name} negotiate ${verb}`, names, { more, options: `${options}${as}${where}` });
    },
  };
}
