import { diagramLayouts as api } from '#contract/database/diagram-layouts'
import { implement } from '#kit/http'
import type { Diagrams } from './diagrams.ts'

export const diagramRoutes = (diagrams: Diagrams) => [
  implement(api.get, (input, caller) => diagrams.get(caller, input)),
  implement(api.save, (input, caller) => diagrams.save(caller, input)),
  implement(api.share, (input, caller) => diagrams.share(caller, input)),
  implement(api.reset, (input, caller) => diagrams.reset(caller, input)),
]
