// npm start: installs and builds what is missing, then runs a gateway in dev mode with the given arguments:
// npm start -- --port 8000
import process from 'node:process';
import { build, ready } from './prepare.mjs';
import { main } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  const { code } = await node(['packages/cli/bin/proffer.js', 'up', '--dev', ...process.argv.slice(2)], {
    stream: true,
  });
  return code;
});
