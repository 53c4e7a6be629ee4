import { usageFailure } from '../command-failure.js';
import { connectToAny } from '../connect.js';
import { consoleAddress } from '../connection/gateway-url.js';
import { elsewhereLines, otherGateways, waitingElsewhere } from '../connection/other-gateways.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { signInLink } from '../guard/sign-in-link.js';
import { openBrowser } from '../terminal/open-browser.js';
import type { Shell } from '../terminal/shell.js';
import type { ListingOptions } from './listing.js';

/** Opens the inbox in the browser. The link is printed too, for when no browser can be opened from here. */
export async function openInbox(options: ListingOptions, shell: Shell): Promise<ExitCode> {
  if (options.data !== undefined)
    throw usageFailure('--open needs a gateway, so it cannot be used with --data.', [
      `${shell.name} inbox --open --guard   # the gateway of this machine's guards`,
    ]);
  const { endpoint, whoAmI } = await connectToAny(options, shell);
  // We can explain a missing gateway better than a browser can.
  await whoAmI();
  const { url, space, data } = endpoint;
  const link = data === undefined ? consoleAddress(url, space) : signInLink(data, url, shell.now());
  shell.print(link);
  if (data !== undefined) shell.tell(shell.style.dim('It signs you in once, within 2 minutes.'));
  const elsewhere = await waitingElsewhere(otherGateways(endpoint, shell.env), shell);
  shell.tell(...elsewhereLines(elsewhere, { name: shell.name, command: 'inbox --open' }));
  const trouble = await openBrowser(link, shell.env);
  if (trouble === undefined) return EXIT.done;
  shell.tell(`The browser cannot be opened from here: ${trouble}. Open the link yourself.`);
  return EXIT.done;
}
