import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const navigation = JSON.parse(readFileSync(new URL('../dist/navigation.json', import.meta.url), 'utf8'));

/** @param {string} title */
function slugify(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/**
 * Of the API reference only names are found: its thousands of "Returns" and "Parameters" would bury everything else.
 *
 * @param {string} source
 * @param {import('vitepress').MarkdownEnv} env
 * @param {import('vitepress').MarkdownRenderer} md
 */
function renderForSearch(source, env, md) {
  const isReference = env.relativePath.startsWith('api/');
  return md.render(isReference ? source.replaceAll(/^(?!#{1,3} ).*$/gm, '') : source, env);
}

// A dead link fails the build, which is VitePress's default.
export default defineConfig({
  title: 'Proffer',
  description:
    'Agents propose. People, or agents you trust, decide. Everything that happened can be replayed.',
  srcDir: 'dist/pages',
  outDir: 'dist/html',
  cacheDir: 'dist/cache',
  // So that it can be read from any folder of a server.
  base: process.env.PROFFER_DOCS_BASE ?? '/',
  // Headings are linked by the same names as in the repository.
  markdown: { anchor: { slugify } },
  themeConfig: {
    ...navigation,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
});
