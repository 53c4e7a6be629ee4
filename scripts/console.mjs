// What `npm run build` does last: bundles the console, if anything in it changed.
import { buildConsole } from './console-build.mjs';
import { main } from './step.mjs';

await main(async () => {
  await buildConsole();
  return 0;
});
