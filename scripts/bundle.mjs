// The last step of `npm run bundle`: bundles the console and the command, unless nothing in them has changed.
import { buildBundles } from './bundles.mjs';
import { main } from './step.mjs';

await main(async () => {
  await buildBundles();
  return 0;
});
