import type { Platform } from '../../platform.ts'
import { createDiagrams, type Diagrams } from './diagrams.ts'
import { diagramStore } from './store.ts'
import { diagramLayouts as api } from '#contract/database/diagram-layouts'
import { implement } from '#kit/http'

/** What the diagram of a schema remembers for people. */
export const diagramsFeature = ({ db }: Platform) => ({
  routes: diagramRoutes(createDiagrams(diagramStore(db))),
})

const diagramRoutes = (diagrams: Diagrams) => [
  implement(api.get, (input, caller) => diagrams.get(caller, input)),
  implement(api.save, (input, caller) => diagrams.save(caller, input)),
  implement(api.share, (input, caller) => diagrams.share(caller, input)),
  implement(api.reset, (input, caller) => diagrams.reset(caller, input)),
]
