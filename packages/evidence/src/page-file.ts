import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The page that shows and checks the evidence in it, without any. Created by `npm run build`. */
const PAGE = fileURLToPath(new URL('../dist/page/evidence.html', import.meta.url));

const START = '<script type="application/json" id="evidence">';
const END = '</script>';

/** A page with an evidence file in it. */
export async function evidencePage(file: string): Promise<string> {
  const [before, after] = split(await readFile(PAGE, 'utf8'));
  // In a script, no text may look like the end of it.
  return `${before}${file.trim().replaceAll('<', '\\u003c')}${after}`;
}

/**
 * The evidence file in a page, and whether the page around it is the one that this version writes: another one may show
 * something else than it contains. `undefined` if the text is no such page.
 */
export async function readEvidencePage(
  text: string,
): Promise<{ readonly evidence: string; readonly isOurs: boolean } | undefined> {
  const at = text.indexOf(START);
  const end = text.indexOf(END, at);
  if (at === -1 || end === -1) return undefined;
  const [before, after] = split(await readFile(PAGE, 'utf8'));
  const isOurs = text.slice(0, at + START.length) === before && text.slice(end) === after;
  return { evidence: text.slice(at + START.length, end), isOurs };
}

function split(page: string): readonly [string, string] {
  const at = page.indexOf(START) + START.length;
  return [page.slice(0, at), page.slice(page.indexOf(END, at))];
}
