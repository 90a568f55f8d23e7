import type { Platform } from '../../platform.ts'
import { createRealtimeConfig, type RealtimeConfigs } from './config.ts'
import { realtimeConfigStore } from './store.ts'
import { realtime as api } from '#contract/realtime/realtime-config'
import { implement } from '#kit/http'
import { SignJWT } from 'jose'
import type { As } from '#contract/data-api/impersonation'
import type { ProjectConnection } from '#contract/internal'
import { keySetOf } from '#kit/jwt-key-set'

type Deps = {
  connection: (ref: string) => Promise<ProjectConnection>
  /** The oldest key of each kind, as text. */
  keysOf: (ref: string) => Promise<{ publishable?: string }>
}

/** Seconds. Who watches for longer asks for another one. */
const lifetime = 600

/** Makes tokens of a project for the people who manage it: for any role, with any claims, and for a short time. */
const createWatchTokens =
  ({ connection, keysOf }: Deps) =>
  async (ref: string, { role, claims }: As) => {
    const found = await connection(ref)
    const { kid, algorithm: alg, signs } = keySetOf(found).current
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + lifetime
    const iss = `${found.url}/auth/v1`
    const token = await new SignJWT({ iss, ...claims, role, iat, exp })
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(signs)
    const { publishable } = await keysOf(ref)
    return { token, expires_at: exp, api_key: publishable ?? found.anonKey }
  }
type WatchTokens = ReturnType<typeof createWatchTokens>

type Needs = Parameters<typeof createWatchTokens>[0]

/** How the realtime services of projects work. */
export function realtimeFeature({ db, audited }: Platform, needs: Needs) {
  const configs = createRealtimeConfig({
    store: realtimeConfigStore(db),
    audited,
  })
  return {
    routes: realtimeRoutes(configs, createWatchTokens(needs)),
    settingsOf: configs.forService,
    get: configs.get,
    update: configs.update,
  }
}

const forPrograms = <C>(config: C) => ({
  ...config,
  postgres_changes_pool: null,
  presence_enabled: true as const,
  admin_suspended_at: null,
})

const realtimeRoutes = (configs: RealtimeConfigs, tokenFor: WatchTokens) => [
  implement(api.config, ({ ref }) => configs.get(ref)),
  implement(api.updateConfig, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.configForProgram, async ({ ref }) => forPrograms(await configs.get(ref))),
  implement(api.updateByProgram, async ({ ref, ...changes }, caller, origin) =>
    forPrograms(await configs.update(caller, ref, changes, origin)),
  ),
  implement(api.token, ({ ref, as }) => tokenFor(ref, as)),
]
