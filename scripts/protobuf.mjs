import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Failure, step } from './step.mjs';
import { root, tool } from './tools.mjs';

const wire = join(root, 'packages/wire');
const out = join(wire, 'src/gen');
/** Records the inputs of the generated code; written last, so an interrupted run is repeated. */
const mark = join(out, '.generated');

const PLUGIN = join(root, 'node_modules/@bufbuild/protoc-gen-es');

const TEMPLATE = {
  version: 'v2',
  clean: true,
  plugins: [
    {
      local: [process.execPath, join(PLUGIN, 'bin/protoc-gen-es')],
      out,
      opt: ['target=ts', 'import_extension=js'],
    },
  ],
};

/** Generates the wire code from its .proto files, unless it is up to date. Needs no network. */
export async function generate() {
  const wanted = fingerprint();
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  await step('Generating protobuf code (buf)', async () => {
    const { code, output } = await tool('buf', ['generate', wire, '--template', JSON.stringify(TEMPLATE)]);
    if (code !== 0) {
      throw new Failure(
        `${output.trim()}\n\nThe .proto files in packages/wire/proto could not be turned into code. Correct the above and run the same command again.`,
      );
    }
    writeFileSync(join(out, 'modes.ts'), modesModule());
    writeFileSync(mark, wanted);
  });
}

/** Every .proto file, as `macp/v1/envelope.proto`. */
function protoFiles() {
  return readdirSync(join(wire, 'proto'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.proto'))
    .sort();
}

/** The module that lists the .proto files of all modes, so that adding one needs no line anywhere. */
function modesModule() {
  const modes = protoFiles()
    .filter((name) => name.startsWith('macp/modes/'))
    .map((name) => name.slice(0, -'.proto'.length));
  return [
    "import type { DescFile } from '@bufbuild/protobuf';",
    ...modes.map((name) => `import { ${variable(name)} } from './${name}_pb.js';`),
    '',
    '/** The .proto files of the modes. */',
    `export const MODE_FILES: readonly DescFile[] = [${modes.map(variable).join(', ')}];`,
    '',
  ].join('\n');
}

/**
 * The name that protoc-gen-es gives the descriptor of a file.
 *
 * @param {string} name
 */
function variable(name) {
  return `file_${name.replaceAll(/[/.-]/g, '_')}`;
}

/** A hash over all inputs of the generated code. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of protoFiles())
    hash.update(`${name}\n${readFileSync(join(wire, 'proto', name), 'utf8')}\n`);
  hash.update(readFileSync(join(wire, 'buf.yaml'), 'utf8'));
  hash.update(readFileSync(join(PLUGIN, 'package.json'), 'utf8'));
  hash.update(JSON.stringify(TEMPLATE.plugins.map(({ opt }) => opt)));
  hash.update(modesModule());
  return hash.digest('hex');
}
