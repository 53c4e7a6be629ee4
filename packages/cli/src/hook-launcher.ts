/** All that `bin/proffer-hook.cjs` loads. Every call of an agent waits for it, so it is bundled on its own. */

export { guardsFolder } from '@proffer/client/machine';
export { launchAndExit, readArguments } from '@proffer/hook/launch';
