/** The version of this package; a test compares it with `package.json`, which is not there once everything is one file. */
export const VERSION = '0.1.0';
