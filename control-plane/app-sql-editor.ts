import type { Route } from '#kit/http'
import type { Db } from './database/database.ts'
import { folderRoutes } from './snippets/folder-routes.ts'
import { folderStore } from './snippets/folder-store.ts'
import { createFolders } from './snippets/folders.ts'
import { snippetRoutes } from './snippets/routes.ts'
import { createSnippets } from './snippets/snippets.ts'
import { snippetStore } from './snippets/store.ts'
import { v1SnippetRoutes } from './snippets/v1-routes.ts'
import { sqlHistoryRoutes } from './sql-history/routes.ts'
import { sqlHistoryStore } from './sql-history/store.ts'

/** Saved SQL texts, the folders they are kept in, and what people ran. */
export function assembleSqlEditor(db: Db): Route[] {
  const store = snippetStore(db)
  const folders = folderStore(db)
  const snippets = createSnippets(store, folders)
  return [
    ...folderRoutes(createFolders(folders, store.projectId)),
    ...sqlHistoryRoutes(sqlHistoryStore(db)),
    ...snippetRoutes(snippets),
    ...v1SnippetRoutes(snippets, store),
  ]
}
