// npm run build: installs what is missing, then generates, compiles and bundles what has changed.
import { build, ready } from './prepare.mjs';
import { main } from './step.mjs';

await main(async () => {
  await ready();
  await build();
  return 0;
});
