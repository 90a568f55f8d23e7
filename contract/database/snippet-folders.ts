import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
/** Folders that one person may have in a project. */
export const maxFolders = 200

/** A person's own drawer for their queries in a project. Others never see it, also not of a shared query. */
export const SnippetFolder = z.object({
  id: z.uuid(),
  name: z.string(),
  owner_id: z.number(),
  project_id: z.number(),
  /** Queries in it. */
  count: z.number(),
})
export type SnippetFolder = z.infer<typeof SnippetFolder>

export const snippetFolders = {
  list: endpoint('snippetFolders.list', 'GET /platform/projects/:ref/content/folders', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef,
    returns: z.object({ folders: z.array(SnippetFolder) }),
  }),
  create: endpoint('snippetFolders.create', 'POST /platform/projects/:ref/content/folders', {
    needs: inProject('write:Update', 'user_content'),
    input: ByRef.extend({ name: displayName(1, 100) }),
    status: 201,
    returns: SnippetFolder,
  }),
  rename: endpoint('snippetFolders.rename', 'PATCH /platform/projects/:ref/content/folders/:id', {
    needs: inProject('write:Update', 'user_content'),
    input: ByRef.extend({ id: z.uuid(), name: displayName(1, 100) }),
    returns: SnippetFolder,
  }),
  /** Removes the folder; its queries stay, outside of any. */
  remove: endpoint('snippetFolders.remove', 'DELETE /platform/projects/:ref/content/folders/:id', {
    needs: inProject('write:Delete', 'user_content'),
    input: ByRef.extend({ id: z.uuid() }),
    returns: z.object({}),
  }),
  /** Puts the caller's own queries among `ids` into a folder, or out of any; answers those that moved. */
  move: endpoint('snippetFolders.move', 'POST /platform/projects/:ref/content/move', {
    needs: inProject('write:Update', 'user_content'),
    input: ByRef.extend({ ids: z.array(z.uuid()).min(1).max(100), folder_id: z.uuid().nullable() }),
    returns: z.array(z.object({ id: z.uuid() })),
  }),
}
