import type { Platform } from '../../platform.ts'
import { createDocuments } from './documents.ts'
import { documentRoutes } from './routes.ts'
import { documentStore } from './store.ts'

/** Legal documents, where whoever runs the platform supplies some. */
export const documentsFeature = ({ db, record, documents: folder }: Platform) => ({
  routes: documentRoutes(createDocuments({ store: documentStore(db), record, folder })),
})
