import { isDeepStrictEqual } from 'node:util'
import type { Output, Parsed } from '#contract/endpoint'
import type { snippets as api, Snippet, SnippetListItem } from '#contract/database/snippets'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import { isUuid } from '#kit/ids'
import type { FolderStore } from './folder-store.ts'
import type { SnippetStore } from './store.ts'

type Row = Awaited<ReturnType<SnippetStore['list']>>[number]
type Listed = Omit<Row, 'sort_key'>

const shape = (row: Listed, userId: string): SnippetListItem => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  visibility: row.visibility,
  favorite: row.marked_by !== null,
  folder_id: row.owner_id === userId ? row.folder_id : null,
  owner_id: Number(row.owner_number),
  owner: { id: Number(row.owner_number), username: row.username },
  project_id: Number(row.project_id),
  inserted_at: row.inserted_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  revision: row.revision,
})

/** What a person would call the content: not the id in it. */
const saved = (content: Snippet['content']) =>
  'sql' in content ? [content.sql, content.dialect ?? null, content.chart ?? null] : content.blocks

const writeCursor = (row: Row) =>
  Buffer.from(JSON.stringify([row.sort_key, row.id])).toString('base64url')

function readCursor(cursor: string): { key: string; id: string } {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && isUuid(String(parts[1]))) {
      return { key: String(parts[0]), id: String(parts[1]) }
    }
  } catch {
    // Not JSON: refused below like every other text that we did not write.
  }
  throw new ApiError('invalid_input', 'cursor: is not valid for this list')
}

/** Queries and reports kept for people; nothing is lost to a second tab: a save from an old revision is a conflict. */
export function createSnippets(store: SnippetStore, folders: Pick<FolderStore, 'find'>) {
  async function item(caller: Caller, ref: string, id: string): Promise<Snippet> {
    const row = await store.find(ref, caller.userId, id)
    if (!row) throw new ApiError('snippet_not_found')
    return { ...shape(row, caller.userId), content: row.content }
  }

  return {
    item,

    async list(caller: Caller, input: Parsed<typeof api.list>): Promise<Output<typeof api.list>> {
      const rows = await store.list({
        ref: input.ref,
        userId: caller.userId,
        type: input.type,
        visibility: input.visibility,
        favorite: input.favorite === undefined ? undefined : input.favorite === 'true',
        name: input.name,
        folder: input.folder_id,
        sortBy: input.sort_by,
        descending: input.sort_order === 'desc',
        limit: input.limit,
        after: input.cursor === undefined ? undefined : readCursor(input.cursor),
      })
      const shown = rows.slice(0, input.limit)
      const last = shown.at(-1)
      const more = rows.length > input.limit
      return {
        data: shown.map((row) => shape(row, caller.userId)),
        cursor: more && last ? writeCursor(last) : null,
      }
    },

    async count(caller: Caller, { ref, type, name }: Parsed<typeof api.count>) {
      const row = await store.count(ref, caller.userId, type, name)
      return {
        count: Number(row.count),
        favorites: Number(row.favorites),
        private: Number(row.private),
        shared: Number(row.shared),
      }
    },

    async put(caller: Caller, input: Parsed<typeof api.put>): Promise<Snippet> {
      const projectId = await store.projectId(input.ref)
      if (!projectId) throw new ApiError('project_not_found')
      const { id, ref, name, type, visibility, content } = input
      const values = { name, visibility, content, description: input.description ?? null }
      const folder = input.folder_id
      if (folder && !(await folders.find({ ref, userId: caller.userId }, folder)))
        throw new ApiError('folder_not_found')
      await store.transaction(async (tx) => {
        const before = await store.lock(tx, id)
        if (!before) {
          const ownerId = caller.userId
          if (!(await store.insert(tx, { ...values, id, projectId, ownerId, type }))) {
            throw new ApiError('conflict')
          }
        } else {
          const visible = before.owner_id === caller.userId || before.visibility === 'project'
          const isIt = before.project_id === projectId && before.type === type
          if (!isIt || !visible) throw new ApiError('snippet_not_found')
          const changed =
            before.name !== name ||
            before.description !== values.description ||
            before.visibility !== visibility ||
            !isDeepStrictEqual(saved(before.content), saved(content))
          if (changed) {
            if (before.owner_id !== caller.userId) throw new ApiError('not_allowed')
            if (input.revision !== undefined && input.revision !== before.revision) {
              throw new ApiError('conflict')
            }
            await store.update(tx, id, values)
          }
        }
        if (folder !== undefined) await store.file(tx, id, caller.userId, folder)
        await store.mark(tx, id, caller.userId, input.favorite)
      })
      return item(caller, ref, id)
    },

    hasReport: store.hasReport,
    remove: (caller: Caller, ref: string, ids: string[]) =>
      store.removeOwn(ref, caller.userId, ids),
  }
}
export type Snippets = ReturnType<typeof createSnippets>
