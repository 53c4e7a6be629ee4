/** The parts used of a package without types. */
declare module 'fs-native-extensions' {
  /**
   * Locks bytes of an open file for this process alone, or for all that share them; false if another
   * process has them. Closing the file unlocks them.
   */
  export function tryLock(
    descriptor: number,
    offset: number,
    length: number,
    options: { readonly shared: boolean },
  ): boolean;
}
