import { RowChange } from '#contract/database/rows/table-rows'
import { undoMinutes, type tableViews as api, type TableView } from '#contract/database/table-views'
import type { Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { Secrets } from '#kit/secrets'
import type { OfTable, TableViewStore } from './store.ts'

type Deps = { store: TableViewStore; secrets: Secrets; now: () => Date }

/** Ways to look at a table, and what takes a save back, for as long as that is offered. */
export function createTableViews({ store, secrets, now }: Deps) {
  async function projectOf(ref: string): Promise<string> {
    const id = await store.projectId(ref)
    if (id === undefined) throw new ApiError('project_not_found')
    return id
  }
  const oldest = () => new Date(now().getTime() - undoMinutes * 60_000)

  return {
    async list(caller: Caller, of: OfTable) {
      const project = await projectOf(of.ref)
      const [rows, layout] = await Promise.all([
        store.views(project, caller.userId, of),
        store.layout(project, caller.userId, of),
      ])
      const views: TableView[] = rows.map(({ owner_id: owner, updated_at: at, ...row }) => ({
        ...row,
        own: owner === caller.userId,
        updated_at: at.toISOString(),
      }))
      return { views, layout: layout ?? null }
    },

    async put(caller: Caller, input: Parsed<typeof api.put>): Promise<TableView> {
      const project = await projectOf(input.ref)
      const made = await store.putView({ ...input, project, userId: caller.userId })
      if (!made) throw new ApiError('not_found')
      const { id, name, visibility, definition } = input
      const updated_at = made.updated_at.toISOString()
      return { id, name, visibility, definition, own: true, updated_at }
    },

    async remove(caller: Caller, ref: string, id: string) {
      return { removed: await store.removeView(await projectOf(ref), caller.userId, id) }
    },

    async putLayout(caller: Caller, { layout, ...of }: Parsed<typeof api.layout>) {
      await store.putLayout(await projectOf(of.ref), caller.userId, of, layout)
      return { layout }
    },

    async lastUndo(caller: Caller, of: OfTable) {
      const row = await store.lastUndo(await projectOf(of.ref), caller.userId, of, oldest())
      if (!row) return { undo: null }
      const { id, count, applied_at: at, sealed_changes: sealed } = row
      const changes = RowChange.array().parse(JSON.parse(secrets.open(sealed, sealOf(id))))
      return { undo: { id, count, changes, applied_at: at.toISOString() } }
    },

    async keepUndo(caller: Caller, input: Parsed<typeof api.keepUndo>) {
      const project = await projectOf(input.ref)
      const { id, changes, ...rest } = input
      const sealed = secrets.seal(JSON.stringify(changes), sealOf(id))
      const kept = await store.keepUndo({ ...rest, id, project, userId: caller.userId, sealed })
      if (!kept) throw new ApiError('conflict')
      return { id }
    },

    async dropUndo(caller: Caller, ref: string, id: string) {
      return { removed: await store.dropUndo(await projectOf(ref), caller.userId, id) }
    },

    prune: () => store.pruneUndos(oldest()),
  }
}
export type TableViews = ReturnType<typeof createTableViews>

const sealOf = (id: string) => `row-undo ${id}`
