import { GraphQLError, type FieldNode } from 'graphql'
import type { CachedSchema } from './service.ts'

export type Limits = { introspection: boolean; depth: number; rows: number }

/** Rows of a page: at most, and when nobody says how many. */
export const pageSize = { max: 1000, unasked: 30 }
/** Objects of one insert. */
export const maxObjects = 1000
/** Letters and signs that mean something in a document; a thousand inserted objects have some ten thousand. */
export const maxTokens = 15_000
/**
 * Fields and fragments that stand in a document: one of the rules compares all of them with each other, while every other
 * project waits. Five hundred take up to 170 ms.
 */
export const maxSelections = 500
/** Fields of an answer, with everything that fragments bring along. */
const maxFields = 1000
/** Filters inside filters. */
export const maxNested = 20

/**
 * Fifteen levels are four collections inside each other, more than a page shows; every one of them makes the statement
 * another subquery deeper. A hundred thousand rows are three default pages inside each other, more than three times over.
 */
const defaults = { depth: 15, rows: 100_000 }

/** What a project may set, like other settings of its API: `alter role authenticator set pgrst.graphql_max_depth = 20`. */
export function limitsOf({ options }: CachedSchema): Limits {
  const number = (name: string, otherwise: number) => {
    const set = Number(options.get(name))
    return Number.isInteger(set) && set > 0 ? set : otherwise
  }
  const introspection = (options.get('graphql_introspection') ?? 'on').toLowerCase()
  return {
    introspection: !['off', 'false', 'no', '0'].includes(introspection),
    depth: number('graphql_max_depth', defaults.depth),
    rows: number('graphql_max_rows', defaults.rows),
  }
}

/** What an operation may still use. Every place of the answer is counted, so fragments cannot multiply unseen. */
export class Budget {
  private readonly limits: Limits
  private fields = 0
  private rows = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** @throws GraphQLError when there are too many fields, or one stands too deep. */
  spendField(node: FieldNode, depth: number): void {
    if (depth > this.limits.depth) {
      throw new GraphQLError(`The query is nested more than ${this.limits.depth} levels deep`, {
        nodes: node,
      })
    }
    if (++this.fields <= maxFields) return
    throw new GraphQLError(`The query has more than ${maxFields} fields`, { nodes: node })
  }

  /** @throws GraphQLError when more rows could be read than one request may. */
  spendRows(node: FieldNode, rows: number): void {
    this.rows += rows
    if (this.rows <= this.limits.rows) return
    throw new GraphQLError(
      `The query could read more than ${this.limits.rows} rows: ask for smaller pages with "first"`,
      { nodes: node },
    )
  }
}
