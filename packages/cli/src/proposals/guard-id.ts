/** Whether an id, or the beginning of one, looks like those that guards give their proposals. */
export function looksLikeGuards(id: string): boolean {
  return /^call-[0-9a-f]{4}/.test(id);
}
