import type { Platform } from '../../platform.ts'
import { folderStore } from './folder-store.ts'
import { createFolders, type Folders } from './folders.ts'
import { snippetRoutes } from './routes.ts'
import { createSnippets } from './snippets.ts'
import { snippetStore } from './store.ts'
import { v1SnippetRoutes } from './v1-routes.ts'
import { snippetFolders as api } from '#contract/database/snippet-folders'
import { implement } from '#kit/http'

/** Saved SQL texts, and the folders they are kept in. */
export function snippetsFeature({ db }: Platform) {
  const store = snippetStore(db)
  const folders = folderStore(db)
  const snippets = createSnippets(store, folders)
  return {
    routes: [
      ...folderRoutes(createFolders(folders, store.projectId)),
      ...snippetRoutes(snippets),
      ...v1SnippetRoutes(snippets, store),
    ],
  }
}

const folderRoutes = (folders: Folders) => [
  implement(api.list, ({ ref }, caller) => folders.list(caller, ref)),
  implement(api.create, ({ ref, name }, caller) => folders.create(caller, ref, name)),
  implement(api.rename, (input, caller) => folders.rename(caller, input)),
  implement(api.remove, ({ ref, id }, caller) => folders.remove(caller, ref, id)),
  implement(api.move, (input, caller) => folders.move(caller, input)),
]
