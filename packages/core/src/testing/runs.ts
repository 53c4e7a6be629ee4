/** How often a property is tried: `usual` times, or twenty times as often in the long test run. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: process.env['PROFFER_LONG'] === undefined ? usual : usual * 20 };
}
