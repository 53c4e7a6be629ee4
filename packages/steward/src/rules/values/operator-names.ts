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

/** Their names in other languages, without capitals, dashes and dollar signs. */
const MEANT: ReadonlyMap<string, Operator> = new Map([
  ...OPERATORS.map((name) => [name.toLowerCase(), name] as const),
  ...synonyms('gt', '> greater greaterthan morethan exclusiveminimum above over'),
  ...synonyms('gte', '>= => ge atleast greaterthanorequal greaterorequal min minimum'),
  ...synonyms('lt', '< less lessthan exclusivemaximum below under'),
  ...synonyms('lte', '<= =< le atmost lessthanorequal lessorequal max maximum'),
  ...synonyms('between', 'range'),
  ...synonyms('equals', '= == === eq equal equalto is'),
  ...synonyms(
    'matches',
    '~ =~ regex regexp startswith beginswith endswith re pattern match like glob contains includes prefix suffix',
  ),
  ...synonyms(
    'not',
    '! != !== <> ne neq nin notequals notequal notin noneof doesnotmatch notmatches none except unless',
  ),
  ...synonyms('anyOf', 'oneof isoneof in or enum any'),
  ...synonyms('every', 'allof everyitem allitems eachitem all each items'),
  ...synonyms('some', 'someitem anyitem'),
  ...synonyms('present', 'exists isset isnull isabsent notexists required missing absent empty'),
  ...synonyms('length', 'minlength maxlength minitems maxitems minsize maxsize len size count'),
  ...synonyms('fields', 'object properties'),
]);

const LONG_NAMES = OPERATORS.filter((name) => name.length >= 5);

/** True for the name of an operator. */
export function isOperator(name: string): name is Operator {
  return OPERATORS.some((operator) => operator === name);
}

/** The operator that was probably meant by a name, if any. */
export function operatorMeantBy(name: string): Operator | undefined {
  const meant = MEANT.get(plainName(name)) ?? nearest(name, LONG_NAMES, 1);
  return meant !== undefined && isOperator(meant) ? meant : undefined;
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
