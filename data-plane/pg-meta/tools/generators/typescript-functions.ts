import { plainType, type Facts, type FunctionFact } from './facts.ts'
import { keyOf, quoted, type Shape } from './typescript-print.ts'
import { rowOf, typescriptOf } from './typescript-types.ts'

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
  if (rowArgument(facts, one) !== undefined)
    return `the function ${called} with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache`
  const names = (of: FunctionFact) =>
    given(of)
      .map(({ name }) => name)
      .toSorted()
      .join('\0')
  const alike = overloads.filter(
    (other) => names(other) === names(one) && rowArgument(facts, other) === undefined,
  )
  if (alike.length < 2) return undefined
  const told = alike.map((of) => {
    const args = given(of).map(
      ({ name, type }) => `${name} => ${facts.types.get(type)?.name ?? 'unknown'}`,
    )
    return `${called}(${args.join(', ')})`
  })
  return `Could not choose the best candidate function between: ${told.join(', ')}. Try renaming the parameters or the function itself in the database so function overloading can be resolved`
}

function returnsOf(facts: Facts, one: FunctionFact): Shape {
  const after = one.is_set ? '[]' : ''
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
  return `${typescriptOf(facts, one.returns)}${after}`
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
      ['isOneToOne', String(!one.is_set || one.rows === 1)],
      ['isSetofReturn', String(one.is_set)],
    ],
    hard: true,
  }
}
