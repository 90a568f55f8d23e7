import { isDeepStrictEqual } from 'node:util'
import { plainType, type Facts, type FunctionFact } from './facts.ts'
import { keyOf, quoted, type Shape } from './typescript-print.ts'
import { orNull, rowOf, typescriptOf } from './typescript-types.ts'

const given = ({ args }: FunctionFact) => args.filter(({ mode }) => 'ibv'.includes(mode))

/** The API calls functions by the names of their arguments; one alone may go without, when a body can be it. */
const bodies = new Set(['json', 'jsonb', 'text', 'bytea', 'xml'])

/** The relation whose rows one nameless argument takes: a column that is computed. */
export function rowArgument(facts: Facts, of: FunctionFact): number | undefined {
  const [only, ...more] = given(of)
  if (!only || more.length > 0 || only.name !== '') return undefined
  const type = plainType(facts, only.type)
  return type && type.relation !== null && type.relation_kind !== 'c' ? type.relation : undefined
}

function isCallable(facts: Facts, of: FunctionFact): boolean {
  const args = given(of)
  if (args.every(({ name }) => name !== '')) return true
  const [only, ...more] = args
  if (!only || more.length > 0) return false
  return bodies.has(plainType(facts, only.type)?.name ?? '') || rowArgument(facts, of) !== undefined
}

/** The functions of a schema by name, each with its overloads. */
export function functionsOf(facts: Facts, schema: string): (readonly [string, Shape])[] {
  const byName = new Map<string, FunctionFact[]>()
  for (const one of facts.functions) {
    if (one.schema !== schema || !isCallable(facts, one)) continue
    byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  }
  return [...byName]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, overloads]) => {
      const shapes = overloads.map((one) => shapeOf(facts, one, overloads))
      const [only, ...more] = shapes
      return [keyOf(name), only && more.length === 0 ? only : { union: shapes }] as const
    })
}

function shapeOf(facts: Facts, one: FunctionFact, overloads: readonly FunctionFact[]): Shape {
  const args = given(one).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const problem = problemOf(facts, one, overloads)
  const options = problem === undefined ? setOptions(facts, one) : undefined
  return {
    object: [
      [
        'Args',
        args.length === 0
          ? 'never'
          : {
              object: args.map(
                ({ name, has_default, type }) =>
                  [`${keyOf(name)}${has_default ? '?' : ''}`, typescriptOf(facts, type)] as const,
              ),
            },
      ],
      [
        'Returns',
        problem === undefined
          ? returnsOf(facts, one)
          : { object: [['error', 'true']], hard: true, after: ` & ${quoted(problem)}` },
      ],
      ...(options ? [['SetofOptions', options] as const] : []),
    ],
  }
}

/** What the API answers to every call of a function that it cannot find or not tell from another. */
function problemOf(
  facts: Facts,
  one: FunctionFact,
  overloads: readonly FunctionFact[],
): string | undefined {
  const called = `${one.schema}.${one.name}`
  if (rowArgument(facts, one) !== undefined && !returnsRows(facts, one))
    return `the function ${called} with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache`
  const alike = overloads
    .filter((other) => other === one || isAmbiguous(one, other))
    .toSorted((a, b) => (given(a)[0]?.type ?? 0) - (given(b)[0]?.type ?? 0))
  if (alike.length < 2) return undefined
  const signatures = alike.map((of) => {
    const args = given(of).map(
      ({ name, type }) => `${name} => ${facts.types.get(type)?.name ?? 'unknown'}`,
    )
    return `${called}(${args.join(', ')})`
  })
  return `Could not choose the best candidate function between: ${signatures.join(', ')}. Try renaming the parameters or the function itself in the database so function overloading can be resolved`
}

/** Whether a call of one function may as well mean the other. */
function isAmbiguous(one: FunctionFact, other: FunctionFact): boolean {
  const [mine, theirs] = [given(one), given(other)]
  const [only] = theirs
  if (mine.length === 0) return theirs.length === 1 && only?.name === '' && only.has_default
  const names = (of: typeof mine) => of.map(({ name }) => name).toSorted()
  return mine.every(({ name }) => name !== '') && isDeepStrictEqual(names(mine), names(theirs))
}

/** Rows of a table or view, or a composite value: what the API can embed. */
function returnsRows(facts: Facts, one: FunctionFact): boolean {
  return (plainType(facts, one.returns)?.relation ?? null) !== null
}

/** A set that is declared to have one row comes as that row. */
const isMany = ({ is_set, rows }: FunctionFact) => is_set && rows > 1

/** What a row shows of a function that computes a column or relates it to others. */
export const computedOf = (facts: Facts, one: FunctionFact): Shape =>
  shapeOfOne(facts, one, ' | null')

const returnsOf = (facts: Facts, one: FunctionFact): Shape =>
  shapeOfOne(facts, one, isMany(one) ? '[]' : '')

function shapeOfOne(facts: Facts, one: FunctionFact, after: '' | '[]' | ' | null'): Shape {
  const table = one.args.filter(({ mode }) => mode === 't')
  if (table.length > 0) {
    const columns = table.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    return {
      object: columns.map(({ name, type }) => [keyOf(name), typescriptOf(facts, type)] as const),
      hard: true,
      after,
    }
  }
  const relation = facts.relations.find(({ id }) => id === one.returns_relation)
  if (relation) {
    const row = rowOf(facts, relation).map(([name, of]) => [keyOf(name), of] as const)
    return { object: row, hard: true, after }
  }
  const type = typescriptOf(facts, one.returns)
  return after === ' | null' ? orNull(type) : `${type}${after}`
}

/** Lets the client library embed what a function returns, as it does with tables. */
function setOptions(facts: Facts, one: FunctionFact): Shape | undefined {
  const type = plainType(facts, one.returns)
  if (!type || type.relation === null || !facts.schemas.includes(type.schema)) return undefined
  const [only, ...more] = given(one)
  const source = only && more.length === 0 ? plainType(facts, only.type) : undefined
  const from = source?.relation !== null && source ? source.name : '*'
  return {
    object: [
      ['from', quoted(from)],
      ['to', quoted(type.name)],
      ['isOneToOne', String(!isMany(one))],
      ['isSetofReturn', String(one.is_set)],
    ],
    hard: true,
  }
}
