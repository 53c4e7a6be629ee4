// The first step of `npm run build` and `npm run types`: generates code.
import { generate } from './protobuf.mjs';
import { main } from './step.mjs';

await main(async () => {
  await generate();
  return 0;
});
