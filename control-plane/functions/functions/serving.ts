import {
  internalFunctions as api,
  type ServedFunctions,
} from '#contract/functions/functions-internal'
import { ApiError } from '#kit/errors'
import { implementOpen } from '#kit/http'
import type { FunctionStore } from './store.ts'

type Deps = {
  store: FunctionStore
  secretsOf: (ref: string) => Promise<Record<string, string>>
  keysOf: (ref: string) => Promise<{ publishable?: string; secret?: string }>
  /** Where its people find its database, with the password of its owner. */
  databaseUrlOf: (ref: string) => Promise<string | undefined>
}

/** Milliseconds that one request may take (contracts/functions.md): 150 s on the free plan, 400 s on the others. */
const wallMs = { free: 150_000, paid: 400_000 }

/** What the data plane asks: which functions there are, with what secrets, and the code of a version. */
export const functionServingRoutes = ({ store, secretsOf, keysOf, databaseUrlOf }: Deps) => [
  implementOpen(api.functions, async ({ ref }): Promise<ServedFunctions> => {
    const project = await store.project(ref)
    if (!project) throw new ApiError('project_not_found')
    const [rows, secrets, keys, databaseUrl] = await Promise.all([
      store.list(ref),
      secretsOf(ref),
      keysOf(ref),
      databaseUrlOf(ref),
    ])
    return {
      region: project.region,
      wallMs: project.tier === 'tier_free' ? wallMs.free : wallMs.paid,
      functions: rows.flatMap(({ id, slug, version, version_id, verify_jwt, status }) =>
        status === 'REMOVED' || version_id === null
          ? []
          : [
              {
                id,
                slug,
                version,
                versionId: version_id,
                verifyJwt: verify_jwt,
              },
            ],
      ),
      secrets,
      databaseUrl,
      publishableKey: keys.publishable,
      secretKey: keys.secret,
    }
  }),
  implementOpen(api.functionCode, async ({ id }) => {
    const version = await store.version(id)
    if (!version) throw new ApiError('function_not_found')
    const files = await store.files(id)
    return {
      entrypointPath: version.entrypoint_path,
      importMapPath: version.import_map_path,
      files: files.map(({ path, content }) => ({ path, content: content.toString('base64') })),
    }
  }),
]
