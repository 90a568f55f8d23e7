import type { Action } from '#contract/permissions'
import { createAssistant } from './assistant/assistant/assistant.ts'
import { assistantRoutes } from './assistant/assistant/routes.ts'
import { assistantStore } from './assistant/assistant/store.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createTableReader } from './database/pg-meta/read-tables.ts'

type Can = (
  person: { userId: string },
  ref: string,
  action: Action,
  resource: string,
) => Promise<boolean>

/** The assistant, which reads a project's tables through the metadata API as its caller may. */
export function assembleAssistant(db: Db, options: ControlPlaneOptions, can: Can) {
  const { dataPlaneUrl, internalToken, model: server, log } = options
  const tablesOf = createTableReader({ dataPlaneUrl, internalToken, can })
  return assistantRoutes(createAssistant({ store: assistantStore(db), server, tablesOf, log }))
}
