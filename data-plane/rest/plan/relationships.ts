import { Problem } from '../answers/problem.ts'
import type { Embed } from '../query/query.ts'
import { MissingProblem } from './resolve.ts'
import type { Fn, ForeignKey, Relation, Schema } from '../catalog/schema.ts'
import { closest } from '../query/similar.ts'

/** Pairs of columns that are equal in rows that belong together. */
type Pairs = readonly (readonly [left: string, right: string])[]

/** How the rows of `target` belong to those of a relation. */
export type Relationship = {
  cardinality: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many'
  target: Relation
  /** Columns of the origin and of the target; of the origin and of the junction when there is one. */
  on: Pairs
  /** The relation between, and its columns with those of the target. */
  junction: { relation: Relation; on: Pairs } | undefined
  /** The function that makes the rows of the target from a row of the origin; nothing else ties them then. */
  computed: { fn: Fn; origin: Relation } | undefined
  /** Names that choose this one among several. */
  hints: readonly string[]
  /** Meant only by whom a hint names it: the same is there without. */
  hintOnly?: true
  /** What it is called as an embedding target. */
  names: readonly string[]
  /** In words, for the answer that it is ambiguous. */
  description: string
}

/** True when a row has at most one row of the target. */
export const isToOne = ({ cardinality }: Relationship): boolean =>
  cardinality === 'many-to-one' || cardinality === 'one-to-one'

/** The one relationship that an embed means. @throws Problem PGRST200 for none, PGRST201 for several */
export function findRelationship(schema: Schema, origin: Relation, embed: Embed): Relationship {
  const { relation: name, hint } = embed
  const made = (schema.computed.get(origin) ?? []).find((fn) => fn.name === name)
  if (made?.relation) return computed(made, made.relation, origin)
  const all = relationshipsOf(schema, origin)
  const named = all.filter((one) => one.names.includes(name))
  const found = named.filter((one) =>
    hint === undefined ? one.hintOnly !== true : one.hints.includes(hint),
  )
  const [first, second] = found
  if (!first) throw noRelationship(origin, embed, all)
  if (second) throw ambiguous(origin, name, found)
  return first
}

function relationshipsOf(schema: Schema, origin: Relation): Relationship[] {
  const relationOf = (schemaName: string, name: string) =>
    schema.relations.get(schemaName)?.get(name)
  const own = schema.foreignKeys.filter((key) => isFrom(key, origin))
  const others = schema.foreignKeys.filter((key) => isTo(key, origin))
  return [
    ...own.flatMap((key) => {
      const target = relationOf(key.target_schema, key.target)
      return target ? [forward(key, origin, target)] : []
    }),
    ...others.flatMap((key) => {
      const target = relationOf(key.schema, key.relation)
      return target ? [backward(key, origin, target)] : []
    }),
    ...others.flatMap((key) => {
      const junction = relationOf(key.schema, key.relation)
      if (!junction || !isInKey(key, junction)) return []
      const hintOnly = isSecond(key, junction, others)
      return schema.foreignKeys.flatMap((second) => {
        const target = relationOf(second.target_schema, second.target)
        const joins = isFrom(second, junction) && second.name !== key.name
        if (!target || !joins || !isInKey(second, junction)) return []
        const found = through(key, second, junction, target)
        return [hintOnly ? { ...found, hintOnly } : found]
      })
    }),
  ]
}

const isFrom = (key: ForeignKey, { schema, name }: Relation) =>
  key.relation === name && key.schema === schema
const isTo = (key: ForeignKey, { schema, name }: Relation) =>
  key.target === name && key.target_schema === schema
/** A junction is known by its primary key: it consists of the keys of both sides. */
const isInKey = (key: ForeignKey, junction: Relation) =>
  key.columns.every((column) => junction.primaryKey.includes(column))

/** A view of a junction whose table is in sight too: without a hint everything would be there twice. */
const isSecond = (key: ForeignKey, junction: Relation, others: readonly ForeignKey[]) =>
  junction.view && others.some((one) => one.name === key.name && one.relation !== junction.name)

const zip = (left: readonly string[], right: readonly string[]): Pairs =>
  left.map((column, i) => [column, right[i] ?? ''] as const)
const single = (columns: readonly string[]) => (columns.length === 1 ? columns : [])
/** The relation that embeds stands first, whichever side the key is on. */
function describe(key: ForeignKey, from: 'key' | 'target'): string {
  const own = `${key.relation}(${key.columns.join(', ')})`
  const other = `${key.target}(${key.target_columns.join(', ')})`
  return `${key.name} using ${from === 'key' ? `${own} and ${other}` : `${other} and ${own}`}`
}

/** In a relation that refers to itself, its name means the rows that refer to a row; what a row refers to, the key's. */
const forward = (key: ForeignKey, origin: Relation, target: Relation): Relationship => ({
  cardinality: key.unique ? 'one-to-one' : 'many-to-one',
  target,
  on: zip(key.columns, key.target_columns),
  junction: undefined,
  computed: undefined,
  hints: [key.name, ...single(key.columns), ...single(key.target_columns)],
  // By the name of its key or column it is the table: a view of it has a name of its own.
  names: [
    ...(target === origin ? [] : [target.name]),
    ...(target.view ? [] : [key.name, ...single(key.columns)]),
  ],
  description: describe(key, 'key'),
})

const backward = (key: ForeignKey, origin: Relation, target: Relation): Relationship => ({
  cardinality: key.unique ? 'one-to-one' : 'one-to-many',
  target,
  on: zip(key.target_columns, key.columns),
  junction: undefined,
  computed: undefined,
  hints: [key.name, ...single(key.columns), ...single(key.target_columns)],
  names: [target.name, ...(target.view || target === origin ? [] : [key.name])],
  description: describe(key, 'target'),
})

const through = (
  key: ForeignKey,
  second: ForeignKey,
  junction: Relation,
  target: Relation,
): Relationship => ({
  cardinality: 'many-to-many',
  target,
  on: zip(key.target_columns, key.columns),
  junction: { relation: junction, on: zip(second.columns, second.target_columns) },
  computed: undefined,
  hints: [junction.name],
  names: [target.name],
  description: `${junction.name} using ${key.name}(${key.columns.join(', ')}) and ${second.name}(${second.columns.join(', ')})`,
})

const computed = (fn: Fn, target: Relation, origin: Relation): Relationship => ({
  cardinality: fn.set && !fn.one ? 'one-to-many' : 'many-to-one',
  target,
  on: [],
  junction: undefined,
  computed: { fn, origin },
  hints: [],
  names: [fn.name],
  description: `${fn.name}(${origin.name})`,
})

function noRelationship(origin: Relation, embed: Embed, all: readonly Relationship[]): Problem {
  const { relation: name, hint } = embed
  const using = hint === undefined ? '' : ` using the hint '${hint}'`
  const near = closest(name, new Set(all.map((one) => one.target.name)))
  const known = near === undefined || near === name
  return new MissingProblem(
    400,
    'PGRST200',
    `Could not find a relationship between '${origin.name}' and '${name}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${origin.name}' and '${name}'${using} in the schema '${origin.schema}', but no matches were found.`,
      hint: known ? null : `Perhaps you meant '${near}' instead of '${name}'.`,
    },
  )
}

function ambiguous(origin: Relation, name: string, found: readonly Relationship[]): Problem {
  const choices = found.map((one) => `'${name}!${one.hints[0] ?? ''}'`)
  return new Problem(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${origin.name}' and '${name}'`,
    {
      details: found.map((one) => ({
        cardinality: one.cardinality,
        relationship: one.description,
        embedding: `${origin.name} with ${one.target.name}`,
      })),
      hint: `Try changing '${name}' to one of the following: ${choices.join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  )
}
