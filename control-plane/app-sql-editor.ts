import type { Route } from '#kit/http'
import type { Db } from './platform-database/database.ts'
import { folderRoutes } from './database/snippets/folder-routes.ts'
import { folderStore } from './database/snippets/folder-store.ts'
import { createFolders } from './database/snippets/folders.ts'
import { snippetRoutes } from './database/snippets/routes.ts'
import { createSnippets } from './database/snippets/snippets.ts'
import { snippetStore } from './database/snippets/store.ts'
import { v1SnippetRoutes } from './database/snippets/v1-routes.ts'
import { sqlHistoryRoutes } from './database/sql-history/routes.ts'
import { sqlHistoryStore } from './database/sql-history/store.ts'

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
