import type { ProjectConnection } from '#contract/internal'
import type { ServedFunction, ServedFunctions } from '#contract/functions/functions-internal'
import { deploymentOf } from './function-event.ts'

type Environment = { of: readonly unknown[]; values: Record<string, string> }
const known = new WeakMap<ServedFunction, Environment>()

/** `environmentOf`, worked out anew only when something that it is made of has changed: every call asks for it. */
export function currentEnvironment(
  project: ProjectConnection,
  all: ServedFunctions,
  served: ServedFunction,
): Record<string, string> {
  const of = [project, all.secrets, all.databaseUrl, all.publishableKey, all.secretKey]
  const before = known.get(served)
  if (before && of.every((part, index) => part === before.of[index])) return before.values
  const values = environmentOf(project, all, served)
  known.set(served, { of, values })
  return values
}

/** What a function sees of its project (contracts/functions.md), and the project's own secrets. */
export function environmentOf(
  project: ProjectConnection,
  all: ServedFunctions,
  served: ServedFunction,
): Record<string, string> {
  const { signingKeys } = project
  const publicKeys = signingKeys.filter(({ algorithm }) => algorithm !== 'HS256')
  const jwks = { keys: publicKeys.map(({ kid, jwk }) => publicPart(kid, jwk)) }
  return {
    ...all.secrets,
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: project.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: project.serviceKey,
    ...(all.databaseUrl ? { SUPABASE_DB_URL: all.databaseUrl } : {}),
    SUPABASE_PUBLISHABLE_KEYS: keySet(all.publishableKey),
    SUPABASE_SECRET_KEYS: keySet(all.secretKey),
    SUPABASE_JWKS: JSON.stringify(jwks),
    SB_REGION: all.region,
    DENO_REGION: all.region,
    DENO_DEPLOYMENT_ID: deploymentOf({ ref: project.ref, served }),
  }
}

const keySet = (key: string | undefined) =>
  JSON.stringify(key === undefined ? {} : { default: key })

/** Of the key in use the whole pair is known here; what only its owner may have stays here. */
function publicPart(kid: string, jwk: Record<string, unknown>) {
  const hidden = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'key_ops', 'ext'])
  return { ...Object.fromEntries(Object.entries(jwk).filter(([name]) => !hidden.has(name))), kid }
}
