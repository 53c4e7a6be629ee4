import type { SourceFile } from './repository.js';
import { placeOf, visit } from './syntax.js';

const IMPURE_NAMES = new Set(['globalThis', 'Intl', 'eval', 'Function', 'WeakRef', 'FinalizationRegistry']);
const IMPURE_MEMBERS = /^(Date\.now|Math\.random|.*\.(toLocale\w+|localeCompare))$/;

/**
 * Reports where a file of core depends on more than its inputs: the clock, random numbers, the host's locale,
 * or ambient declarations. The compiler already rejects other host names there.
 */
export function purityProblems(file: SourceFile): readonly string[] {
  const problems: string[] = [];
  const report = (node: { readonly start: number }, what: string): void => {
    problems.push(`${placeOf(file, node)}: ${what}`);
  };
  visit(file, {
    Identifier(node) {
      if (IMPURE_NAMES.has(node.name)) report(node, `core does not use ${node.name}`);
    },
    MemberExpression(node) {
      if (node.computed || node.property.type !== 'Identifier') return;
      const object = node.object.type === 'Identifier' ? node.object.name : '';
      const member = `${object}.${node.property.name}`;
      if (IMPURE_MEMBERS.test(member)) report(node, `core does not use ${member}`);
    },
    NewExpression(node) {
      const { callee } = node;
      if (callee.type === 'Identifier' && callee.name === 'Date' && node.arguments.length === 0) {
        report(node, 'core does not read the clock; time is handed in');
      }
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') {
        report(node, 'core does not read the clock; time is handed in');
      }
    },
    VariableDeclaration(node) {
      if (node.declare === true) report(node, 'core does not declare what a host may have');
    },
    TSModuleDeclaration(node) {
      if (node.declare) report(node, 'core does not declare what a host may have');
    },
  });
  return problems;
}
