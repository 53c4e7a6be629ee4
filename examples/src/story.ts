/** A story that runs through the rules, tells what happens, and fails when something else happens. */
export interface Story {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  tell(print: Print): void;
}

/** A story that runs over a gateway and real connections, and so takes its time. */
export interface LiveStory extends Omit<Story, 'tell'> {
  tell(print: Print): Promise<void>;
}

/** Takes one line of what happened. */
export type Print = (line: string) => void;

/** A line with who did what in columns. */
export function line(who: string, what: string, detail = ''): string {
  return `  ${who.padEnd(12)}${what.padEnd(17)}${detail}`.trimEnd();
}

/** Stops the story when it goes another way than it should. */
export function expectThat(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`The story went another way: ${what}`);
}
