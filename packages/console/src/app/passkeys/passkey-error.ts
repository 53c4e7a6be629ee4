/** Why nothing was signed, in a sentence for its reader. Nothing was sent. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}
