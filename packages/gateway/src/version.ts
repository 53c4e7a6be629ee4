/**
 * The version of this package; a test compares it with `package.json`, which does not exist in a single-file
 * build.
 */
export const VERSION = '0.1.0';
