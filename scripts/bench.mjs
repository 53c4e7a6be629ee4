// npm run bench: installs and builds what is missing, then measures. Arguments go to the benchmark:
// npm run bench -- --help
import process from 'node:process';
import { build, ready } from './prepare.mjs';
import { main } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  const { code } = await node(['--expose-gc', 'bench/dist/main.js', ...process.argv.slice(2)], {
    stream: true,
  });
  return code;
});
