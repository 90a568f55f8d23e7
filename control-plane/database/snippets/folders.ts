import { maxFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { FolderStore } from './folder-store.ts'

type Row = Awaited<ReturnType<FolderStore['list']>>[number]

const shape = (row: Row): SnippetFolder => ({
  id: row.id,
  name: row.name,
  owner_id: Number(row.owner_number),
  project_id: Number(row.project_id),
  count: Number(row.count),
})

/** Where people keep their own queries. Nobody sees the folders of somebody else. */
export function createFolders(
  store: FolderStore,
  projectId: (ref: string) => Promise<string | undefined>,
) {
  async function get(caller: Caller, ref: string, id: string): Promise<SnippetFolder> {
    const row = await store.find({ ref, userId: caller.userId }, id)
    if (!row) throw new ApiError('folder_not_found')
    return shape(row)
  }

  return {
    async list(caller: Caller, ref: string) {
      const rows = await store.list({ ref, userId: caller.userId })
      return { folders: rows.map(shape) }
    },

    async create(caller: Caller, ref: string, name: string): Promise<SnippetFolder> {
      const { userId } = caller
      const project = await projectId(ref)
      if (!project) throw new ApiError('project_not_found')
      if ((await store.list({ ref, userId })).length >= maxFolders)
        throw new ApiError('too_many_folders')
      const made = await store.insert(project, userId, name)
      if (!made) throw new ApiError('name_taken')
      return get(caller, ref, made.id)
    },

    async rename(caller: Caller, { ref, id, name }: { ref: string; id: string; name: string }) {
      const renamed = await store.rename({ ref, userId: caller.userId }, id, name)
      if (renamed === undefined) throw new ApiError('name_taken')
      return get(caller, ref, id)
    },

    async remove(caller: Caller, ref: string, id: string) {
      if (!(await store.remove({ ref, userId: caller.userId }, id)))
        throw new ApiError('folder_not_found')
      return {}
    },

    async move(
      caller: Caller,
      { ref, ids, folder_id }: { ref: string; ids: string[]; folder_id: string | null },
    ) {
      if (folder_id !== null) await get(caller, ref, folder_id)
      return store.move({ ref, userId: caller.userId }, ids, folder_id)
    },
  }
}
export type Folders = ReturnType<typeof createFolders>
