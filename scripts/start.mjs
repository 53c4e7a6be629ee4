// npm start: installs and builds what is missing, then runs a gateway in dev mode with the given arguments:
// npm start -- --port 8000
import process from 'node:process';
import { buildToRun, ready } from './prepare.mjs';
import { main } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready({ development: false });
  await buildToRun();
  const { code } = await node(['packages/cli/bin/proffer.js', 'up', '--dev', ...process.argv.slice(2)], {
    stream: true,
  });
  return code;
});
