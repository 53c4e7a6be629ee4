import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('the site has every page of its menu, and no link that leads nowhere', async () => {
  const target = await mkdtemp(join(tmpdir(), 'proffer-site-'));
  onTestFinished(() => rm(target, { recursive: true }));
  const { navigation, problems } = await createPages(root, target);
  expect(problems).toEqual([]);

  const links = navigation.sidebar.flatMap(({ items }) => items).map(({ link }) => link);
  expect(links.length).toBeGreaterThan(50);
  const made = new Set(['/http-api', '/api/']);
  const missing = links.filter(
    (link) => !made.has(link) && !existsSync(join(target, link.replace(/\/$/, '/index').concat('.md'))),
  );
  expect(missing).toEqual([]);
});

it('leads from a page of the repository to the page of the site, or to the source', async () => {
  const target = await mkdtemp(join(tmpdir(), 'proffer-site-'));
  onTestFinished(() => rm(target, { recursive: true }));
  await createPages(root, target);
  const page = await readFile(join(target, 'architecture.md'), 'utf8');
  expect(page).toContain('](/glossary)');
  expect(page).toContain('[`core`](/packages/core/)');
  expect(page).toMatch(/\]\(https:\S+\/blob\/main\/packages\/gateway\/src\/door\/door\.ts\)/);
  expect(page).toContain('](/pictures/message-path.svg)');
});
