/** Whether a mode may be registered under a name: one with a dot that MACP does not reserve (N-31). */
export function isExtensionName(name: string): boolean {
  return name.includes('.') && !name.startsWith('macp.mode.');
}
