// The last step of `npm run build`: bundles the console if anything in it has changed.
import { buildConsole } from './console-build.mjs';
import { main } from './step.mjs';

await main(async () => {
  await buildConsole();
  return 0;
});
