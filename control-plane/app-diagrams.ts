import type { Route } from '#kit/http'
import type { Db } from './database/database.ts'
import { createDiagrams } from './diagrams/diagrams.ts'
import { diagramRoutes } from './diagrams/routes.ts'
import { diagramStore } from './diagrams/store.ts'

/** What the diagram of a schema remembers for people. */
export const assembleDiagrams = (db: Db): Route[] => diagramRoutes(createDiagrams(diagramStore(db)))
