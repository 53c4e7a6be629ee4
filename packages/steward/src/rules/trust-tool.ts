/** The tool under which a guard asks people whether a changed tool is still to be trusted. */
const TRUST = /(?:^|\/)proffer_trust$/;

/** Whether it is the question of a guard that only a rule which names it may answer with yes. */
export function isTrustTool(tool: string): boolean {
  return TRUST.test(tool);
}
