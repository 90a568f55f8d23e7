import type { FunctionUsage } from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import type { By } from '../../audited.ts'
import type { Platform } from '../../platform.ts'
import { createFunctionCalls } from './calls.ts'
import { createFunctionCopies } from './copy.ts'
import { digestOf, type Deployment } from './deployment.ts'
import { createFunctions } from './functions.ts'
import { functionRoutes } from './routes.ts'
import { functionServingRoutes } from './serving.ts'
import { functionStore } from './store.ts'

type Serving = Parameters<typeof functionServingRoutes>[0]
type Needs = {
  connection: (ref: string) => Promise<{ anonKey: string; serviceKey: string }>
  secretsOf: Serving['secretsOf']
  /** The oldest key of each kind, as text. */
  keysOf: Serving['keysOf']
  /** The address by which people reach a project's database, signed in as its owner. */
  databaseUrlOf: Serving['databaseUrlOf']
  usageOf: (ref: string, id: string, range: UsageRange) => Promise<FunctionUsage>
}

/** Edge functions. */
export function functionsFeature(platform: Platform, needs: Needs) {
  const { db, audited, dataPlane, projects, record } = platform
  const { connection, usageOf, ...serving } = needs
  const store = functionStore(db)
  const calls = createFunctionCalls({ dataPlane, connection })
  const functions = createFunctions({
    store,
    audited,
    tryOut: calls.tryOut,
  })
  const { transaction, notify } = projects
  return {
    /** Deploys what is not active as it is. False: it was there already. */
    async deployChanged(
      by: By,
      slug: string,
      deployment: Deployment & { verify_jwt?: boolean | undefined },
    ): Promise<boolean> {
      const now = (await store.list(by.ref)).find(
        (row) => row.slug === slug && row.status !== 'REMOVED' && row.version > 0,
      )
      const { entrypoint_path, import_map_path = null, files, verify_jwt } = deployment
      const isSame =
        now?.sha256 === digestOf(files) &&
        now.entrypoint_path === entrypoint_path &&
        now.import_map_path === import_map_path
      if (!isSame) await functions.deploy(by, slug, { ...deployment, activate: true })
      if (!isSame || verify_jwt === undefined || now.verify_jwt === verify_jwt) return !isSame
      await functions.set(by, [{ slug, verify_jwt }])
      return true
    },
    copies: createFunctionCopies({ store, transaction, record, notify }),
    /** Also one that was deleted: what it did is still to be seen. */
    has: async (ref: string, id: string) => (await store.list(ref)).some((row) => row.id === id),
    routes: [
      ...functionRoutes(functions, calls, usageOf),
      ...functionServingRoutes({ store, ...serving }),
    ],
  }
}
