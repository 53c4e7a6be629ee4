import type { REFUSALS, RefusalCode } from './codes.js';

/** The codes that report a limit of the configuration. */
export type LimitCode = {
  [Code in RefusalCode]: (typeof REFUSALS)[Code]['limits'] extends readonly [] ? never : Code;
}[RefusalCode];
