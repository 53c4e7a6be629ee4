// npm run stories: plays the examples and prints what happens.
import { build, ready } from './prepare.mjs';
import { main } from './step.mjs';
import { node } from './tools.mjs';

await main(async () => {
  await ready();
  await build();
  const { code } = await node(['examples/dist/stories.js'], { stream: true });
  return code;
});
