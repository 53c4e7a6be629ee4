import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, EXIT } from '../command-failure.js';
import { type MachineFolder, reviewToken } from '../guard/machine-folder.js';
import { type Certified, isGoodFor, ownCertificate, selfSigned } from './certificate.js';
import { deviceSignIn, isDeviceKey } from './device-sign-in.js';
import { devicesIn, type PairedDevice } from './devices.js';
import { type Share, type ShareOptions, startShare } from './listener.js';
import { offeredPairing } from './offered-pairing.js';

/** Where devices are served, and who lets them in. */
export interface ServingDevices {
  readonly folder: MachineFolder;
  readonly host: string;
  readonly port: number;
  readonly now: () => number;
  /** Whether this is a valid pairing code; it never works again. */
  readonly take: (code: string) => boolean;
  /** Asks the person at the computer whether to let a device in, until it leaves. */
  readonly confirm: (from: string, agent: string, gone: AbortSignal) => Promise<boolean>;
  readonly onPaired: (device: PairedDevice) => void;
}

/** How much of a device's description is shown, in characters. */
const MAX_AGENT = 120;

const USED =
  'This code has already been used or is older than two minutes. Show a new one on the computer and scan that.';

const BUSY =
  'Another device is waiting to be let in. Let that one in or refuse it on the computer, then scan again.';

const NO_KEY =
  'This browser sent no key of its own, so it cannot be paired. Open the link over https, in a current browser.';

/** Serves paired devices on the network. Throws a CommandFailure if the address cannot be used. */
export async function serveDevices(options: ServingDevices): Promise<Share> {
  const { folder, host, port, now } = options;
  const devices = devicesIn(folder.path);
  let isAsking = false;

  const pair: ShareOptions['pair'] = async ({ code, key, from, agent: said, gone }) => {
    if (!isDeviceKey(key)) return { refused: NO_KEY };
    // One at a time, so that an answer for one device never lets in another.
    if (isAsking) return { refused: BUSY };
    if (!options.take(code)) return { refused: USED };
    const agent = said.slice(0, MAX_AGENT);
    isAsking = true;
    const isLetIn = await options.confirm(from, agent, gone).finally(() => {
      isAsking = false;
    });
    if (!isLetIn || gone.aborted) return { refused: 'This device was refused on the computer.' };
    const device = await devices.add({ key, agent, pairedAt: now() });
    options.onPaired(device);
    return device;
  };

  const certified = certificateIn(folder, host, now());
  try {
    return await startShare({
      host,
      port,
      certified,
      gatewayPort: () => folder.readPort() ?? 0,
      signIn: deviceSignIn(folder.key, devices),
      devices,
      now,
      tokenFor: ({ name }) => reviewToken(folder, name, now()),
      pair,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const at = offeredPairing(folder.path).servedAt();
    const shared = at === undefined ? '' : ` Phones are already served at https://${at.host}:${at.port}.`;
    const message = `Devices cannot be served on ${host}:${port}: ${why}.${shared}`;
    const next = [
      ...(at === undefined ? [] : ['In the inbox in the browser, press Notifications, then Pair a phone.']),
      `--share ${host}:0   # also serves on any free port`,
    ];
    throw new CommandFailure({ exit: EXIT.refused, code: 'cannot_listen', message, next }, error);
  }
}

/**
 * The certificate that the owner put there, such as one of mkcert; else the last one that was made here, if it still
 * fits: a browser that accepted it does so again.
 */
function certificateIn({ path }: MachineFolder, host: string, now: number): Certified {
  const own = ownCertificate(path);
  if (own !== undefined && 'unusable' in own)
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'cannot_listen',
      message: `Devices cannot be served with your certificate. ${own.unusable}`,
      next: ['Replace both files, or remove them: then a certificate is made here.'],
    });
  if (own !== undefined) return own;
  const file = join(path, 'share.json');
  const kept = readKept(file);
  if (kept !== undefined && isGoodFor(kept.cert, host, now)) return kept;
  const made = selfSigned(host, now);
  writeFileSync(file, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  return made;
}

function readKept(file: string): Certified | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Certified;
  } catch {
    return undefined;
  }
}
