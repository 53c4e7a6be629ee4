// npm run nemesis: see HELP below.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findNatsServer, installNatsServer, WITHOUT_NATS } from './nats-server.mjs';
import { build, ready } from './prepare.mjs';
import { Failure, main, step } from './step.mjs';
import { tool } from './tools.mjs';

const HELP = `npm run nemesis -- [options]      gateways on three NATS servers, under load, while things fail at random

  --minutes N     for how long things fail (default 10)
  --gateways N    how many gateways (default 5)
  --seed N        the same misfortunes as in another run; a run that fails prints its seed

Gateways and servers are killed and stopped, one at a time or most of the servers together. In the end everything that
anybody was told is compared with the journal: nothing lost, nothing repeated, at most one fulfilment and one execution
of each proposal, every chain unbroken.
`;

await main(async () => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      minutes: { type: 'string', default: '10' },
      gateways: { type: 'string', default: '5' },
      seed: { type: 'string' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  await ready();
  await build();
  const nats = findNatsServer() ?? (await step('Getting a NATS server', installNatsServer));
  if (nats === undefined) throw new Failure(WITHOUT_NATS);
  const env = {
    NATS_SERVER_PROGRAM: nats,
    NEMESIS_SECONDS: String(Number(values.minutes) * 60),
    NEMESIS_GATEWAYS: values.gateways,
    ...(values.seed === undefined ? {} : { NEMESIS_SEED: values.seed }),
  };
  const { code } = await tool('vitest', ['run', 'packages/gateway/src/peers/nemesis'], { stream: true, env });
  return code;
});
