import process from 'node:process';
import { buildBundles, bundleClient } from './bundles.mjs';
import { install } from './install.mjs';
import { nodeProblem } from './node-version.mjs';
import { generate } from './protobuf.mjs';
import { removeStaleOutputs } from './stale-outputs.mjs';
import { Failure, step } from './step.mjs';
import { root, tool } from './tools.mjs';

/**
 * The first step of every command of this repository: checks Node and installs what is missing.
 *
 * @param {{ development?: boolean }} [options]
 */
export async function ready(options) {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new Failure(problem);
  await install(root, options);
}

/** Builds what the command needs to run: it is bundled from the sources, without a type check. */
export async function buildToRun() {
  await generate();
  await buildBundles();
  await bundleClient();
}

/** Generates, compiles and bundles what has changed. */
export async function build() {
  await generate();
  await step('Building', async () => {
    const { code, output } = await tool('tsc', ['-b', 'tsconfig.build.json']);
    if (code !== 0) {
      throw new Failure(
        `${output.trim()}\n\nThe build failed. Correct the above and run the same command again.`,
      );
    }
    removeStaleOutputs(root);
  });
  await buildBundles();
}
