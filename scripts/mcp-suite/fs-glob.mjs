// Gives modules of the MCP conformance suite an `fs` with `globSync`, which Node 20 lacks.
import { register } from 'node:module';

const withGlob = "export * from 'node:fs'; export const globSync = () => [];";
const hook = `export async function resolve(name, context, next) {
  const isOfSuite = name === 'fs' && context.parentURL?.includes('/conformance/dist/');
  return isOfSuite ? { url: 'data:text/javascript,${encodeURIComponent(withGlob).replaceAll("'", '%27')}', shortCircuit: true } : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
