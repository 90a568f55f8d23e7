import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named } from './pg-meta-shapes.ts'
import { RowChange, RowFilter, RowSort } from './rows/table-rows.ts'
import { displayName, Instant, ProjectRef as ref } from '../values.ts'

/** How one person likes to see one table. Columns that are not named follow in their own order. */
export const TableLayout = z.object({
  /** Widths in pixels, of the columns that were given one. */
  widths: z.record(Named, z.number().int().min(40).max(2000)).default({}),
  order: z.array(Named).max(1600).default([]),
  hidden: z.array(Named).max(1600).default([]),
  /** Columns that stay at the left, counted from the first one shown; null: those of the primary key. */
  frozen: z.number().int().min(0).max(20).nullable().default(null),
})
export type TableLayout = z.infer<typeof TableLayout>

const Definition = z.object({
  filters: z.array(RowFilter).max(50).default([]),
  sort: z.array(RowSort).max(32).default([]),
  hidden: z.array(Named).max(1600).default([]),
  order: z.array(Named).max(1600).default([]),
})

/** A named way to look at a table. `user`: only its owner sees it. `project`: every member uses it, its owner changes it. */
export const TableView = z.object({
  id: z.uuid(),
  name: z.string(),
  visibility: z.enum(['user', 'project']),
  own: z.boolean(),
  definition: Definition,
  updated_at: Instant,
})
export type TableView = z.infer<typeof TableView>

/** How long what was applied can be taken back with one click (issue "Table editor"). */
export const undoMinutes = 30

/** What one save did, turned round. */
export const RowUndo = z.object({
  id: z.uuid(),
  changes: z.array(RowChange),
  /** Changes that it takes back. */
  count: z.number(),
  applied_at: Instant,
})
export type RowUndo = z.infer<typeof RowUndo>

const ofTable = { ref, schema: Named, table: Named }
const reads = inProject('read:Read', 'user_content')
const writes = inProject('write:Update', 'user_content')

/** What the table editor remembers: for a person, and for everybody in the project. */
export const tableViews = {
  list: endpoint('table-views.list', 'GET /platform/projects/:ref/table-views', {
    needs: reads,
    input: z.object(ofTable),
    returns: z.object({ views: z.array(TableView), layout: TableLayout.nullable() }),
  }),
  put: endpoint('table-views.put', 'PUT /platform/projects/:ref/table-views', {
    needs: writes,
    input: z.object({
      ...ofTable,
      id: z.uuid(),
      name: displayName(1, 100),
      visibility: z.enum(['user', 'project']).default('user'),
      definition: Definition,
    }),
    returns: TableView,
  }),
  /** Only one's own. */
  remove: endpoint('table-views.remove', 'DELETE /platform/projects/:ref/table-views/:id', {
    needs: inProject('write:Delete', 'user_content'),
    input: z.object({ ref, id: z.uuid() }),
    returns: z.object({ removed: z.boolean() }),
  }),
  layout: endpoint('table-views.layout', 'PUT /platform/projects/:ref/table-layouts', {
    needs: reads,
    perMinute: 240,
    input: z.object({ ...ofTable, layout: TableLayout }),
    returns: z.object({ layout: TableLayout }),
  }),
  /** The caller's last save of this table that can still be taken back. */
  lastUndo: endpoint('table-views.last-undo', 'GET /platform/projects/:ref/row-undos', {
    needs: reads,
    input: z.object(ofTable),
    returns: z.object({ undo: RowUndo.nullable() }),
  }),
  keepUndo: endpoint('table-views.keep-undo', 'PUT /platform/projects/:ref/row-undos', {
    needs: writes,
    perMinute: 240,
    input: z.object({
      ...ofTable,
      id: z.uuid(),
      changes: z.array(RowChange).min(1).max(1000),
      count: z.number().int().min(1).max(1000),
    }),
    returns: z.object({ id: z.uuid() }),
  }),
  dropUndo: endpoint('table-views.drop-undo', 'DELETE /platform/projects/:ref/row-undos/:id', {
    needs: writes,
    input: z.object({ ref, id: z.uuid() }),
    returns: z.object({ removed: z.boolean() }),
  }),
}
