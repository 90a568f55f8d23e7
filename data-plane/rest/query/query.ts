/** A request's query string as data: what the parser makes and the planner reads. Nothing here has met the schema yet. */

export type JsonStep = { asText: boolean; step: { key: string } | { index: number } }
/** A column, or a place inside a JSON, composite or array column. */
export type Field = { name: string; json: readonly JsonStep[] }

export const aggregates = ['sum', 'avg', 'max', 'min', 'count'] as const
export type Aggregate = (typeof aggregates)[number]

export type SelectItem =
  | {
      kind: 'all'
      /** The values as they are, for what takes the row itself. */
      stored?: true
    }
  | {
      kind: 'field'
      /** Undefined only for a bare `count()`. */
      field: Field | undefined
      alias: string | undefined
      cast: string | undefined
      aggregate: Aggregate | undefined
      /** Cast of what the aggregate returns. */
      aggregateCast: string | undefined
    }
  | Embed
export type Embed = {
  kind: 'embed'
  relation: string
  alias: string | undefined
  /** `!fk_name`, `!column` or `!junction`. */
  hint: string | undefined
  join: 'inner' | 'left' | undefined
  /** `...relation(…)`: its columns become the parent's. */
  spread: boolean
  select: readonly SelectItem[]
}

export type Operation =
  | {
      kind: 'compare'
      operator: Comparison
      quantifier: 'any' | 'all' | undefined
      value: string
    }
  | { kind: 'in'; values: readonly string[] }
  | { kind: 'is'; value: IsValue }
  | { kind: 'distinct'; value: string }
  | { kind: 'search'; operator: Search; language: string | undefined; value: string }

export const comparisons = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
] as const
export type Comparison = (typeof comparisons)[number]
export const searches = ['fts', 'plfts', 'phfts', 'wfts'] as const
export type Search = (typeof searches)[number]
export const isValues = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type IsValue = (typeof isValues)[number]

export type Filter = { kind: 'filter'; field: Field; not: boolean; operation: Operation }
export type Logic = Filter | { kind: 'and' | 'or'; not: boolean; of: readonly Logic[] }

export type OrderTerm = {
  /** Order by a column of this to-one embed. */
  relation: string | undefined
  field: Field
  direction: 'asc' | 'desc' | undefined
  nulls: 'first' | 'last' | undefined
}

/** Something said about the relation at the end of a path of embeds; an empty path is the resource itself. */
export type At<T> = { path: readonly string[]; is: T }

export type Query = {
  /** Empty means all columns. */
  select: readonly SelectItem[]
  where: readonly At<Logic>[]
  order: readonly At<readonly OrderTerm[]>[]
  limit: readonly At<number>[]
  offset: readonly At<number>[]
  /** `columns=`: the keys of a body to take. */
  columns: readonly string[] | undefined
  onConflict: readonly string[] | undefined
  /** What a function call reads as arguments, in the order they came. */
  args: readonly (readonly [name: string, value: string])[]
  /** Sorted by name, for Content-Location. */
  canonical: string
}
