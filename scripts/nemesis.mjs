// npm run nemesis: see HELP below.
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findNatsServer, installNatsServer, WITHOUT_NATS } from './nats-server.mjs';
import { build, ready } from './prepare.mjs';
import { Failure, main, step } from './step.mjs';
import { tool } from './tools.mjs';

const HELP = `npm run nemesis -- [options]      gateways on three NATS servers, under load, while things fail at random

  --minutes N       for how long things fail (default 10)
  --gateways N      how many gateways (default 5)
  --seed N          the same faults as in another run; a run that fails prints its seed
  --sync WHEN       when servers sync: always (default), or default, NATS' own, without killing all servers at once
  --keep FOLDER     leave the history there, and what each process said last
  --kept            first the runs that once failed (packages/gateway/src/testing/nemesis/seeds.ts)

Gateways and servers run in network namespaces of their own, where the machine allows that (Linux with unprivileged user
namespaces, or root). They are killed and stopped; the network is cut in every shape and slowed down; packets get lost and
overtake each other; the clocks of gateways jump by minutes; the disk of one server fills up. Without namespaces, only
processes and clocks fail, and the run says so. Meanwhile proposals are fulfilled, rejected and withdrawn, expire, are
reserved, or need two approvals, sessions are negotiated, and mew clients send streams.

In the end everything that anybody was told is compared with the journal: nothing lost, nothing repeated, one decision about
each proposal and at most one execution, nothing taken that was reserved for somebody else, one outcome of each session,
no stream with a gap that its listeners were not told of, every chain unbroken. A run that does not come to rest fails, and
says who waits for what.
`;

await main(async () => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      minutes: { type: 'string', default: '10' },
      gateways: { type: 'string', default: '5' },
      seed: { type: 'string' },
      sync: { type: 'string', default: 'always' },
      keep: { type: 'string' },
      kept: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!['always', 'default'].includes(values.sync))
    throw new Failure(`--sync is always or default, not ${JSON.stringify(values.sync)}.`);
  await ready();
  await build();
  const nats = findNatsServer() ?? (await step('Getting a NATS server', installNatsServer));
  if (nats === undefined) throw new Failure(WITHOUT_NATS);
  const env = {
    NATS_SERVER_PROGRAM: nats,
    NEMESIS_SECONDS: String(Number(values.minutes) * 60),
    NEMESIS_GATEWAYS: values.gateways,
    NEMESIS_SYNC: values.sync,
    ...(values.keep === undefined ? {} : { NEMESIS_KEEP: resolve(values.keep) }),
    ...(values.kept === true ? { NEMESIS_KEPT: '1' } : {}),
    NEMESIS_SEED: values.seed ?? String(randomInt(2 ** 31)),
  };
  const { code } = await tool('vitest', ['run', 'packages/gateway/src/peers/nemesis'], { stream: true, env });
  return code;
});
