/** Text that is not in the format of its file. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError';

  /** @param what - what the parser says is wrong there */
  constructor(text: string, offset: number, what: string) {
    const before = text.slice(0, offset).split('\n');
    super(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${plainly(what)}`);
  }
}

/** `CommaExpected` as `comma expected`. */
function plainly(what: string): string {
  return what
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\.$/, '');
}
