import {
  comparisons,
  isValues,
  searches,
  type Comparison,
  type Filter,
  type Logic,
  type Operation,
} from './query.ts'
import { Scanner } from './scanner.ts'

/** Operators that may say `(any)` or `(all)` and then take an array. */
const quantifiable = new Set<Comparison>([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
])
const expected = '"not" or operator (eq, gt, ...)'

/** The value of a parameter: `eq.5`, `not.in.(1,2)`, `fts(english).cat`. */
export function parseFilterValue(text: string): Pick<Filter, 'not' | 'operation'> {
  const scan = new Scanner('filter', text)
  const filter = notAndOperation(scan, () => rest(scan))
  scan.expectEnd()
  return filter
}

/** The value of `and=` and `or=`: `(age.gt.5,or(name.eq.x,name.is.null))`. */
export function parseLogic(kind: 'and' | 'or', not: boolean, text: string): Logic {
  const scan = new Scanner('logic tree', text)
  const of = logicList(scan)
  scan.expectEnd()
  return { kind, not, of }
}

function logicList(scan: Scanner): Logic[] {
  scan.expect('(')
  const of = scan.nested(() => scan.list(() => logicItem(scan)))
  scan.expect(')')
  return of
}

function logicItem(scan: Scanner): Logic {
  scan.skipBlanks()
  const start = scan.at
  const not = scan.take('not.')
  for (const kind of ['and', 'or'] as const) {
    if (scan.peek(`${kind}(`)) {
      scan.expect(kind)
      return { kind, not, of: logicList(scan) }
    }
  }
  // It was not a negation but a column named `not`.
  scan.at = start
  const field = scan.field()
  scan.expect('.')
  return { kind: 'filter', field, ...notAndOperation(scan, () => logicValue(scan)) }
}

function notAndOperation(scan: Scanner, value: () => string): Pick<Filter, 'not' | 'operation'> {
  const not = scan.take('not.')
  return { not, operation: operation(scan, value) }
}

function operation(scan: Scanner, value: () => string): Operation {
  const start = scan.at
  const word = scan.word()
  if (word === 'in') {
    scan.expect('.')
    return { kind: 'in', values: listValue(scan) }
  }
  if (word === 'is') {
    scan.expect('.')
    return isOperation(scan)
  }
  if (word === 'isdistinct') {
    scan.expect('.')
    return { kind: 'distinct', value: value() }
  }
  const search = searches.find((operator) => operator === word)
  if (search) {
    const language = scan.take('(') ? languageName(scan) : undefined
    scan.expect('.')
    return { kind: 'search', operator: search, language, value: value() }
  }
  const operator = comparisons.find((comparison) => comparison === word)
  if (!operator) throw scan.fail(expected, start)
  const quantifier = quantifiable.has(operator) ? quantifierOf(scan) : undefined
  if (!scan.take('.')) throw scan.fail('"."')
  return { kind: 'compare', operator, quantifier, value: value() }
}

function quantifierOf(scan: Scanner): 'any' | 'all' | undefined {
  if (scan.take('(any)')) return 'any'
  if (scan.take('(all)')) return 'all'
  return undefined
}

function languageName(scan: Scanner): string {
  const language = scan.until(').')
  if (language === '') throw scan.fail('the name of a text search configuration')
  scan.expect(')')
  return language
}

function isOperation(scan: Scanner): Operation {
  const start = scan.at
  const word = scan.word().toLowerCase()
  const value = isValues.find((known) => known === word)
  if (!value) throw scan.fail('null, not_null, true, false or unknown', start)
  return { kind: 'is', value }
}

/** `(a,b,"c,d")`; nothing between the parentheses is a list of nothing. */
function listValue(scan: Scanner): string[] {
  scan.expect('(')
  scan.skipBlanks()
  if (scan.take(')')) return []
  const values = scan.list(() => quotedOr(scan, () => scan.until(',)')))
  scan.expect(')')
  return values
}

/** Quoted text counts as quoted only when a delimiter follows; `"a"b` is five plain characters. */
function quotedOr(scan: Scanner, plain: () => string): string {
  if (!scan.peek('"')) return plain()
  const start = scan.at
  const value = scan.quoted()
  if (scan.done || scan.peek(',') || scan.peek(')')) return value
  scan.at = start
  return plain()
}

/** Inside a logic tree a value ends at a comma or parenthesis, unless it is quoted or an array literal. */
function logicValue(scan: Scanner): string {
  return quotedOr(scan, () => {
    if (!scan.peek('{')) return scan.until(',)')
    const start = scan.at
    const inner = scan.until('}')
    if (scan.take('}')) return `${inner}}`
    scan.at = start
    return scan.until(',)')
  })
}

function rest(scan: Scanner): string {
  const text = scan.text.slice(scan.at)
  scan.at = scan.text.length
  return text
}
