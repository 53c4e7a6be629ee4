import type { ConnectOptions } from '@proffer/client';
import { checkAskingName, findSharedGateway, guardsFolder } from '@proffer/client/machine';

/** Where to ask, and as whom. */
export interface GatewayTarget extends ConnectOptions {
  readonly ca?: string;
  /** How a person opens its inbox: a command, or an address. */
  readonly inbox: string;
  /** No address was given: what to do if there is no gateway. */
  readonly advice?: string;
}

/** The options about where to ask. */
interface TargetOptions extends Partial<Pick<ConnectOptions, 'url' | 'token' | 'space'>> {
  readonly agent: string;
}

const ADVICE =
  'No gateway runs on this machine. Start one with "npx proffer up --dev", or set PROFFER_URL to the address of one.';

/**
 * Resolves where to ask: the options or the environment; else the gateway shared by this machine's
 * guards and hooks, so that there is one inbox for all; else one in dev mode.
 */
export async function findGateway({ agent, ...given }: TargetOptions): Promise<GatewayTarget> {
  const { url, token, space } = givenGateway(given);
  if (!isGatewayGiven(given) && checkAskingName(agent) === 'ok') {
    const shared = await findSharedGateway(guardsFolder(process.env), agent);
    if (shared !== undefined) return { ...shared, inbox: `${atHome()}npx proffer inbox --guard --open` };
  }
  const target = { url: url ?? 'ws://127.0.0.1:7420', token: token ?? agent, space: space ?? 'main' };
  return {
    ...target,
    inbox: consoleAt(target.url, target.space),
    ...(url === undefined ? { advice: ADVICE } : {}),
  };
}

/** Another terminal may lack our environment. */
function atHome(): string {
  const home = process.env['PROFFER_HOME'] ?? '';
  return home === '' ? '' : `PROFFER_HOME=${JSON.stringify(home)} `;
}

function consoleAt(url: ConnectOptions['url'], space: string): string {
  const [first = ''] = typeof url === 'string' ? url.split(',') : url;
  return `${first.trim().replace(/^ws/, 'http').replace(/\/+$/, '')}/console/${encodeURIComponent(space)}/inbox`;
}

/** Whether the options or the environment name a gateway, or who asks there. */
export function isGatewayGiven(given: Omit<TargetOptions, 'agent'>): boolean {
  return Object.values(givenGateway(given)).some((value) => value !== undefined);
}

function givenGateway(given: Omit<TargetOptions, 'agent'>) {
  const { env } = process;
  return {
    url: given.url ?? nonEmpty(env['PROFFER_URL']),
    token: given.token ?? nonEmpty(env['PROFFER_TOKEN']),
    space: given.space ?? nonEmpty(env['PROFFER_SPACE']),
  };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
