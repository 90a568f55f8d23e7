import type { Platform } from '../../platform.ts'
import { folderRoutes } from './folder-routes.ts'
import { folderStore } from './folder-store.ts'
import { createFolders } from './folders.ts'
import { snippetRoutes } from './routes.ts'
import { createSnippets } from './snippets.ts'
import { snippetStore } from './store.ts'
import { v1SnippetRoutes } from './v1-routes.ts'

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
