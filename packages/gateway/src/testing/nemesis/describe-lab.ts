import type { Lab } from './lab.js';

/** Timeout for a machine's status report, in milliseconds. */
const ANSWER = 3_000;

/** The state of everything, to find out why a run hangs. */
export async function describeLab(lab: Lab): Promise<string> {
  const { gateways, servers, addresses, monitors } = lab;
  const lines = await Promise.all([
    ...gateways.map(async ({ name, isReady, said }, index) => {
      const http = `http://${addresses[index]}`;
      const metrics = (await get(`${http}/metrics`)).split('\n');
      const known = metrics.filter((line) =>
        /^proffer_(journal|peer|connections|messages|refusals)/.test(line),
      );
      return section(name, [`ready: ${isReady}`, await get(`${http}/readyz`), ...known, said.slice(-2_000)]);
    }),
    ...servers.map(async ({ name, isReady, said }, index) => {
      const http = `http://${monitors[index]}`;
      const query = 'streams=true&consumers=true&raft=true';
      const known = [await get(`${http}/healthz`), await get(`${http}/jsz?${query}`)];
      return section(name, [`ready: ${isReady}`, ...known, said.slice(-2_000)]);
    }),
  ]);
  return lines.join('\n');
}

const section = (name: string, lines: readonly string[]): string =>
  `--- ${name}\n${lines.map((line) => line.trim()).join('\n')}`;

async function get(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(ANSWER) })).text();
  } catch (error) {
    return `${url}: ${String(error)}`;
  }
}
