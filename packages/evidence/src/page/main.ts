import { sha256Bytes } from '@proffer/core';
import { checkEvidence } from '../file/check-evidence.js';
import { readEvidence } from '../file/read-statement.js';
import { readKept } from './read-kept.js';
import { element, showEvidence, showUnreadable } from './show.js';
import { checkingSignatures, verifyEd25519, verifyJwk } from './web-signatures.js';

const page = document.getElementById('page');
const embedded = document.getElementById('evidence')?.textContent ?? '';
if (page !== null) void start(page, embedded);

/** Shows the evidence in the page, and checks it again whenever somebody gives other keys. */
async function start(into: HTMLElement, text: string): Promise<void> {
  const file = readEvidence(text);
  if (typeof file === 'string') return into.replaceChildren(showUnreadable(file));
  const canSign = await checkingSignatures();
  const heading = element('div');
  // Said aloud when it changes. The field is right under it, so that nobody has to look for either.
  const verdict = element('div');
  verdict.role = 'status';
  const details = element('div');
  async function check(given: string): Promise<string | undefined> {
    if (typeof file === 'string') return undefined;
    const { keys, kept, odd } = readKept(given, sha256Bytes);
    if (odd !== undefined)
      return `Nothing was checked with these. This is neither a key nor a checkpoint: ${odd}`;
    const options = { keys, kept, howToGive: 'paste it into the field above' };
    const report = canSign
      ? await checkEvidence(file, { ...options, hash: sha256Bytes, verify: verifyEd25519, verifyJwk })
      : undefined;
    const shown = showEvidence(file, report, keys.length > 0);
    heading.replaceChildren(...shown.heading);
    verdict.replaceChildren(shown.verdict);
    details.replaceChildren(...shown.details);
    return undefined;
  }
  into.replaceChildren(heading, verdict, askForKeys(check, verdict), details, aboutThisPage());
  await check('');
}

/** A field for keys. What cannot be read in it is said beside it, and changes nothing else. */
function askForKeys(
  check: (given: string) => Promise<string | undefined>,
  verdict: HTMLElement,
): HTMLElement {
  const keys = element('textarea');
  keys.id = 'keys';
  keys.spellcheck = false;
  keys.placeholder = 'NAME+ID+KEY, one on each line, or a checkpoint that you kept';
  const label = element(
    'label',
    'Keys of the log and of witnesses, and checkpoints, that you have from elsewhere',
  );
  label.htmlFor = keys.id;
  const problem = element('p');
  problem.id = 'problem';
  problem.className = 'problem';
  problem.role = 'alert';
  keys.setAttribute('aria-describedby', problem.id);
  const button = element('button', 'Check with these');
  button.type = 'button';
  button.addEventListener('click', async () => {
    const odd = await check(keys.value);
    problem.textContent = odd ?? '';
    keys.ariaInvalid = String(odd !== undefined);
    if (odd === undefined) verdict.scrollIntoView({ block: 'nearest' });
  });
  const section = element('section', element('h2', 'Your keys'), label, keys, problem, button);
  section.className = 'keys';
  return section;
}

function aboutThisPage(): HTMLElement {
  const text =
    'This page works without a network and sends nothing. It checks the evidence in it, but whoever gave you the page could have changed how it does that: to be sure, check the file with “proffer verify”, which you have from elsewhere. It reads this page, too.';
  const note = element('p', text);
  note.className = 'dim';
  return element('section', note);
}
