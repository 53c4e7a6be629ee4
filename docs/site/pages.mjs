import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** Where files are shown that are no pages of the site. */
const REPOSITORY = 'https://github.com/proffer-dev/proffer';

const PACKAGES =
  'cli client gateway steward mcp hook adapters console notify core journal reading wire'.split(' ');

/**
 * Copies the Markdown pages of the repository and lets their links lead to the site, or to the repository for everything
 * else.
 *
 * @param {string} root
 * @param {string} target
 * @returns {Promise<{ navigation: ReturnType<typeof menus>, problems: string[] }>} `problems`: links that lead nowhere
 */
export async function createPages(root, target) {
  const sources = await findPages(root);
  /** @type {Map<string, string>} */
  const titles = new Map();
  /** @type {string[]} */
  const problems = [];
  for (const source of sources) {
    const text = await readFile(join(root, source), 'utf8');
    titles.set(source, /^# (.+)$/m.exec(text)?.[1] ?? source);
    const page = outsideCode(text, (prose) =>
      prose.replaceAll(
        /(\]\(|(?:src|srcset)=")(?!\w+:|#)([^)#"\s]+)(#[^)"\s]*)?(?=[)"])/g,
        (_, before, link, heading = '') => {
          const path = posix.join(dirname(source), link).replace(/\/$/, '');
          if (!existsSync(join(root, path))) problems.push(`${source}: ${link}`);
          return `${before}${addressOf(root, sources, path)}${heading}`;
        },
      ),
    );
    const file = join(target, placeOf(source));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, page);
  }
  return { navigation: menus(sources, titles), problems };
}

/**
 * The pages: all documentation, and what the packages say about themselves.
 *
 * @param {string} root
 */
async function findPages(root) {
  const inFolder = async (/** @type {string} */ folder) =>
    existsSync(join(root, folder))
      ? (await readdir(join(root, folder)))
          .filter((file) => file.endsWith('.md'))
          .map((file) => `${folder}/${file}`)
      : [];
  const folders = ['docs', 'docs/guides', 'docs/decisions', 'conformance', 'bench', 'examples/python'];
  const rooms = PACKAGES.flatMap((name) => [`packages/${name}`, `packages/${name}/docs`]);
  const found = await Promise.all([...folders, ...rooms].map(inFolder));
  return new Set([...found.flat(), 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']);
}

/**
 * `docs/guides/x.md` is `guides/x.md` in the site, and a README the index of its folder.
 *
 * @param {string} source
 */
function placeOf(source) {
  return source
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .toLowerCase();
}

/**
 * @param {string} root
 * @param {ReadonlySet<string>} sources
 * @param {string} path
 */
function addressOf(root, sources, path) {
  if (path.startsWith('docs/pictures/')) return path.replace('docs', '');
  const page = [path, `${path}/README.md`].find((each) => sources.has(each));
  if (page !== undefined) return `/${placeOf(page).replace(/(?:index)?\.md$/, '')}`;
  const isFolder = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${path}`;
}

/**
 * Changes text outside code blocks and code.
 *
 * @param {string} text
 * @param {(prose: string) => string} change
 */
function outsideCode(text, change) {
  return text
    .split(/(^ *```[\s\S]*?^ *```|`[^`\n]*`)/gm)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/**
 * @param {ReadonlySet<string>} sources
 * @param {ReadonlyMap<string, string>} titles
 */
function menus(sources, titles) {
  const link = (/** @type {string} */ source) => ({
    text: (titles.get(source) ?? source).replaceAll('`', ''),
    link: `/${placeOf(source).replace(/(?:index)?\.md$/, '')}`,
  });
  const under = (/** @type {string} */ folder) =>
    [...sources].filter((source) => dirname(source) === folder && !source.endsWith('README.md'));
  const docs = (/** @type {string[]} */ ...names) => names.map((name) => link(`docs/${name}.md`));
  const sidebar = [
    {
      text: 'Begin here',
      items: docs('for-coding-agent-users', 'for-platform-teams', 'for-negotiating-agents', 'why-not', 'faq'),
    },
    {
      text: 'Guides',
      items: under('docs/guides')
        .map(link)
        .sort((one, other) => one.text.localeCompare(other.text)),
    },
    {
      text: 'Reference',
      items: [
        ...docs('glossary', 'architecture', 'security'),
        { text: 'HTTP routes (OpenAPI)', link: '/http-api' },
        { text: 'API of the packages', link: '/api/' },
      ],
    },
    {
      text: 'Packages',
      collapsed: true,
      items: PACKAGES.map((name) => {
        const { text, link: to } = link(`packages/${name}/README.md`);
        return { text, link: to, items: under(`packages/${name}/docs`).map(link) };
      }),
    },
    { text: 'Decisions', collapsed: true, items: under('docs/decisions').map(link) },
    {
      text: 'The project',
      collapsed: true,
      items: ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(link),
    },
  ];
  const nav = [
    { text: 'Guides', link: '/guides/connect-your-agents' },
    { text: 'Glossary', link: '/glossary' },
    { text: 'API', link: '/api/' },
  ];
  return { sidebar, nav, socialLinks: [{ icon: 'github', link: REPOSITORY }] };
}
