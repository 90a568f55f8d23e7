import type { Relation } from '../catalog/schema.ts'
import type { Page } from '../query/page.ts'
import type { Logic, OrderTerm, SelectItem } from '../query/query.ts'
import type { Relationship } from './relationships.ts'

export type Column = Exclude<SelectItem, { kind: 'embed' }>

/** One relation of a read and all that is asked of it; what is embedded in it hangs below. */
export type ReadNode = {
  /** What it is called in the statement, and in the database's messages. */
  name: string
  /** Undefined for the result of a function whose columns are not known. */
  relation: Relation | undefined
  select: readonly Column[]
  embeds: readonly EmbedNode[]
  where: readonly Logic[]
  order: readonly OrderTerm[]
  page: Page
  /** The column that holds the whole row, where the other columns are not all of the relation's. */
  rowColumn?: string
}
export type EmbedNode = {
  node: ReadNode
  /** Key of the answer; conditions and order of the parent name it so, too. */
  key: string
  relationship: Relationship
  /** Rows of the parent without any of this are left out. */
  inner: boolean
  spread: boolean
  /** Name of its rows beside the parent's, unique in the statement. */
  slot: string
  /** Aggregates that the parent makes of a spread's columns, by the names that they have there. */
  hoisted: ReadonlyMap<string, Extract<Column, { kind: 'field' }>>
}
