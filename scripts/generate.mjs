// What `npm run build` and `npm run types` do first: makes the code that is not written by hand.
import { generate } from './protobuf.mjs';
import { main } from './step.mjs';

await main(async () => {
  await generate();
  return 0;
});
