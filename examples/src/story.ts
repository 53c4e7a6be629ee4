/** A story that runs through the rules, prints what happens, and fails on anything unexpected. */
export interface Story {
  readonly title: string;
  /** One sentence about what it shows. */
  readonly about: string;
  tell(print: Print): void;
}

/** A story that runs over a gateway and real connections, and therefore is asynchronous. */
export interface LiveStory extends Omit<Story, 'tell'> {
  tell(print: Print): Promise<void>;
}

/** Receives one line of the story. */
export type Print = (line: string) => void;

/** A line with the actor and the action in columns. */
export function line(who: string, what: string, detail = ''): string {
  return `  ${who.padEnd(12)}${what.padEnd(17)}${detail}`.trimEnd();
}

/** Fails the story if the condition does not hold. */
export function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`The story went another way: ${what}`);
}
