// The first step of `npm run types` and `npm run bundle`: generates code.
import { generate } from './protobuf.mjs';
import { main } from './step.mjs';

await main(async () => {
  await generate();
  return 0;
});
