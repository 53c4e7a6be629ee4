import { nearest } from '@proffer/reading';

/** Every operator for arguments. */
export const OPERATORS = [
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'equals',
  'matches',
  'not',
  'anyOf',
  'every',
  'some',
  'present',
  'length',
  'fields',
] as const;

export type Operator = (typeof OPERATORS)[number];

/**
 * Their names in other languages, without capitals, dashes and dollar signs. No argument has such a
 * name.
 */
const FOREIGN: ReadonlyMap<string, Operator> = new Map([
  ...OPERATORS.filter((name) => name !== 'fields').map((name) => [name.toLowerCase(), name] as const),
  ...synonyms('gt', '> greaterthan morethan exclusiveminimum'),
  ...synonyms('gte', '>= => ge atleast greaterthanorequal greaterorequal'),
  ...synonyms('lt', '< lessthan exclusivemaximum'),
  ...synonyms('lte', '<= =< le atmost lessthanorequal lessorequal'),
  ...synonyms('equals', '= == === eq equal equalto'),
  ...synonyms('matches', '~ =~ regex regexp startswith beginswith endswith'),
  ...synonyms('not', '! != !== <> ne neq nin notequals notequal notin noneof doesnotmatch notmatches'),
  ...synonyms('anyOf', 'oneof isoneof'),
  ...synonyms('every', 'allof everyitem allitems eachitem'),
  ...synonyms('some', 'someitem anyitem'),
  ...synonyms('present', 'exists isset isnull isabsent notexists'),
  ...synonyms('length', 'minlength maxlength minitems maxitems minsize maxsize'),
]);

/** The same for names that an argument's field may well have. */
const PERHAPS: ReadonlyMap<string, Operator> = new Map([
  ...synonyms('gt', 'above over'),
  ...synonyms('gte', 'min minimum'),
  ...synonyms('lt', 'below under'),
  ...synonyms('lte', 'max maximum'),
  ...synonyms('between', 'range'),
  ...synonyms('equals', 'is'),
  ...synonyms('matches', 're pattern match like glob contains includes prefix suffix'),
  ...synonyms('not', 'none except unless'),
  ...synonyms('anyOf', 'in or enum any'),
  ...synonyms('every', 'all each items'),
  ...synonyms('present', 'required missing absent empty'),
  ...synonyms('length', 'len size count'),
]);

const LONG_NAMES = OPERATORS.filter((name) => name.length >= 5 && name !== 'fields');

/** True for the name of an operator. */
export function isOperator(name: string): name is Operator {
  return OPERATORS.some((operator) => operator === name);
}

/** The operator that was probably meant by a name, if any. */
export function operatorMeantBy(name: string): Operator | undefined {
  const plain = plainName(name);
  const meant = FOREIGN.get(plain) ?? PERHAPS.get(plain) ?? nearest(name, LONG_NAMES, 1);
  return meant !== undefined && isOperator(meant) ? meant : undefined;
}

/**
 * Whether an object with these keys is meant as operators, and not as a pattern of an object: one of
 * them is an operator here or in another language, or all of them may be.
 */
export function areOperators(names: readonly string[]): boolean {
  if (names.some((name) => isOperator(name) || name.startsWith('$') || FOREIGN.has(plainName(name))))
    return true;
  return names.length > 0 && names.every((name) => operatorMeantBy(name) !== undefined);
}

function plainName(name: string): string {
  return name
    .replace(/^\$/, '')
    .replaceAll(/[_\s-]/g, '')
    .toLowerCase();
}

function synonyms(operator: Operator, names: string): readonly (readonly [string, Operator])[] {
  return names.split(' ').map((name) => [name, operator] as const);
}
