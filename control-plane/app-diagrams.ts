import type { Route } from '#kit/http'
import type { Db } from './platform-database/database.ts'
import { createDiagrams } from './database/diagrams/diagrams.ts'
import { diagramRoutes } from './database/diagrams/routes.ts'
import { diagramStore } from './database/diagrams/store.ts'

/** What the diagram of a schema remembers for people. */
export const assembleDiagrams = (db: Db): Route[] => diagramRoutes(createDiagrams(diagramStore(db)))
