import type { Platform } from '../../platform.ts'
import { createDiagrams } from './diagrams.ts'
import { diagramRoutes } from './routes.ts'
import { diagramStore } from './store.ts'

/** What the diagram of a schema remembers for people. */
export const diagramsFeature = ({ db }: Platform) => ({
  routes: diagramRoutes(createDiagrams(diagramStore(db))),
})
