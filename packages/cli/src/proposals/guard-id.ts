/** Whether an id, or a prefix, looks like those of guards. */
export function looksLikeGuards(id: string): boolean {
  return /^call-[0-9a-f]{4}/.test(id);
}
