import type { FunctionUsage } from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import type { Secrets } from '#kit/secrets'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createFunctionCalls } from './functions/functions/calls.ts'
import { createFunctions } from './functions/functions/functions.ts'
import { functionRoutes } from './functions/functions/routes.ts'
import { functionServingRoutes } from './functions/functions/serving.ts'
import { functionStore } from './functions/functions/store.ts'
import { createProjectSecrets } from './projects/project-secrets/project-secrets.ts'
import { projectSecretRoutes } from './projects/project-secrets/routes.ts'
import { projectSecretStore } from './projects/project-secrets/store.ts'
import { projectIdentity, type ProjectSecrets } from './projects/projects/keys.ts'
import type { ProjectStore } from './projects/projects/store.ts'

type Parts = {
  db: Db
  record: RecordChange
  secrets: Secrets
  projects: Pick<ProjectStore, 'find' | 'tell'>
  connection: (ref: string) => Promise<{ anonKey: string; serviceKey: string }>
  options: Pick<ControlPlaneOptions, 'databaseHost' | 'dataPlaneUrl' | 'internalToken' | 'log'>
  /** The oldest key of each kind, as text. */
  keysOf: (ref: string) => Promise<{ publishable?: string; secret?: string }>
  usageOf: (ref: string, id: string, range: UsageRange) => Promise<FunctionUsage>
}

/** Edge functions, and the secrets that they run with. */
export function assembleFunctions(parts: Parts) {
  const { db, record, secrets, keysOf } = parts
  const { tell } = parts.projects
  const calls = createFunctionCalls({ ...parts.options, connection: parts.connection })
  const store = functionStore(db)
  const projectSecrets = createProjectSecrets({
    store: projectSecretStore(db),
    record,
    secrets,
    tell,
  })
  return [
    ...projectSecretRoutes(projectSecrets),
    ...functionRoutes(
      createFunctions({ store, record, tell, tryOut: calls.tryOut }),
      calls,
      parts.usageOf,
    ),
    ...functionServingRoutes({
      store,
      secretsOf: projectSecrets.values,
      keysOf,
      databaseUrlOf: databaseUrls(parts),
    }),
  ]
}

/** The address by which people reach a project's database, signed in as its owner. */
function databaseUrls({ projects, secrets, options }: Parts) {
  return async (ref: string): Promise<string | undefined> => {
    const row = await projects.find(ref)
    if (!row?.db_address) return undefined
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
    const password = encodeURIComponent(own.dbPassword)
    return `postgresql://postgres:${password}@${options.databaseHost}:${row.db_address.port}/postgres`
  }
}
