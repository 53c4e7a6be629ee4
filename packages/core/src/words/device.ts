const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const NAMES: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  Macintosh: 'a Mac',
  Windows: 'Windows',
};
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux'] as const;

/** `Chrome on Android`; the user agent if it is not recognised. */
export function deviceName(agent: string): string {
  const browser = BROWSERS.find((name) => agent.includes(name));
  const system = SYSTEMS.find((name) => agent.includes(name));
  if (browser === undefined || system === undefined) return agent === '' ? 'A browser' : agent;
  return `${NAMES[browser] ?? browser} on ${NAMES[system] ?? system}`;
}
