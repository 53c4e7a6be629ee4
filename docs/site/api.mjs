import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, ReflectionKind } from 'typedoc';

/** The packages that others program against. */
const PACKAGES = ['client', 'core', 'gateway', 'journal', 'steward', 'mcp', 'adapters', 'notify'];

/**
 * What TypeDoc needs: one page for everything that a program can import, from the sources. TypeDoc does not run with the
 * compiler of the repository, so it has one of its own; that the sources compile is checked by `npm test`.
 *
 * @param {string} root
 */
export function apiOptions(root) {
  const files = [...importable(root).values()];
  return {
    tsconfig: {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        composite: false,
        noEmit: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        lib: ['ESNext', 'DOM'],
        customConditions: ['@proffer/source'],
        rootDir: root,
      },
      files,
    },
    typedoc: {
      tsconfig: 'tsconfig.json',
      entryPoints: files,
      basePath: join(root, 'packages'),
      plugin: ['typedoc-plugin-markdown', fileURLToPath(import.meta.url)],
      out: 'pages/api',
      name: 'API of the packages',
      readme: 'none',
      entryFileName: 'index',
      router: 'module',
      skipErrorChecking: true,
      disableSources: true,
      excludePrivate: true,
      excludeExternals: true,
      hideBreadcrumbs: true,
      hidePageHeader: true,
      useCodeBlocks: true,
      validation: false,
      logLevel: 'Error',
    },
  };
}

/**
 * A plugin of TypeDoc: modules have the names by which they are imported, not those of their files.
 *
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const nameOf = new Map(
    Array.from(importable(root), ([name, file]) => [
      file.slice(join(root, 'packages/').length).replace(/(?:\/index)?\.ts$/, ''),
      name,
    ]),
  );
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module))
      module.name = nameOf.get(module.name) ?? module.name;
  });
}

/**
 * What a program can import, with its source: `@proffer/core/json` and so on.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
function importable(root) {
  return new Map(
    PACKAGES.flatMap((name) => {
      const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
      return Object.entries(exports)
        .filter(([path]) => !path.startsWith('./testing'))
        .map(([path, conditions]) => [
          posix.join('@proffer', name, path),
          join(root, 'packages', name, (conditions.node ?? conditions)['@proffer/source']),
        ]);
    }),
  );
}
