import type { Platform } from '../../platform.ts'
import { createAssistant } from './assistant.ts'
import { assistantRoutes } from './routes.ts'
import { assistantStore } from './store.ts'

type Needs = Pick<Parameters<typeof createAssistant>[0], 'tablesOf'>

/** The assistant, which reads a project's tables as its caller may. */
export const assistantFeature = ({ db, model: server, log }: Platform, { tablesOf }: Needs) => ({
  routes: assistantRoutes(createAssistant({ store: assistantStore(db), server, tablesOf, log })),
})
