import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { pages, root, type SourceFile } from './repository.js';

/** The links to other files and to headings, without those in code. */
function linksIn({ path, text }: SourceFile): readonly { readonly file: string; readonly heading: string }[] {
  const prose = text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/`[^`\n]*`/g, 'code');
  return Array.from(
    prose.matchAll(/\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)/g),
    ([, file = '', heading = '']) => ({
      file: file === '' ? path : posix.join(dirname(path), file),
      heading: heading.slice(1),
    }),
  );
}

/** The names by which the headings of a page are linked. */
function headingsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

it('every link in the documentation leads to something', () => {
  const broken = pages().flatMap((page) =>
    linksIn(page)
      .filter(({ file, heading }) => {
        const target = join(root, file);
        if (!existsSync(target)) return true;
        if (heading === '' || statSync(target).isDirectory() || !file.endsWith('.md')) return false;
        return !headingsOf(readFileSync(target, 'utf8')).includes(heading);
      })
      .map(({ file, heading }) => `${page.path}: ${file}${heading === '' ? '' : `#${heading}`}`),
  );
  expect(broken).toEqual([]);
});
