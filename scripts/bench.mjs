// npm run bench: installs and builds what is missing, then runs the benchmarks with the given arguments: npm
// run bench -- --help
import process from 'node:process';
import { findNatsServer, installNatsServer } from './nats-server.mjs';
import { build, ready } from './prepare.mjs';
import { main, step } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  const args = process.argv.slice(2);
  const needsNats = args.every((arg) => arg.startsWith('-')) || args.some((arg) => arg.startsWith('nats'));
  const nats =
    findNatsServer() ?? (needsNats ? await step('Getting a NATS server', installNatsServer) : undefined);
  const { code } = await node(['--expose-gc', 'bench/dist/main.js', ...args], {
    stream: true,
    env: nats === undefined ? {} : { NATS_SERVER_PROGRAM: nats },
  });
  return code;
});
