/** The tool name under which a guard asks people whether a server's hints or a changed tool can be trusted. */
const TRUST = /(?:^|\/)proffer_trust$/;

/** Whether it is a guard's question that only a rule naming it may answer with yes. */
export function isTrustTool(tool: string): boolean {
  return TRUST.test(tool);
}
