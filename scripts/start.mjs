// npm start: installs and builds what is missing, then starts Proffer. Arguments go to what it starts:
// npm start -- --help
import process from 'node:process';
import { build, ready } from './prepare.mjs';
import { main } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  const { code } = await node(['examples/dist/start.js', ...process.argv.slice(2)], { stream: true });
  return code;
});
