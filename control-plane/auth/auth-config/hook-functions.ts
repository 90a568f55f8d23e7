import { dataPlaneApi } from '#contract/data-plane-api'
import { authHooks, hookTargetOf } from '#contract/auth/auth-hooks'
import type { AuthSettings } from '#contract/auth/auth-config-keys'
import type { Log } from '#kit/log'
import type { DataPlane } from '../../data-plane/client.ts'
import type { Problem } from './rules.ts'

type Deps = { dataPlane: DataPlane; log: Log }

/**
 * Whether the functions that `after` makes hooks can be asked: they are there, take what hooks are told, and the auth
 * service may call them. Of a project that does not run nobody can tell; its service says so when it asks.
 */
export const createHookFunctions = ({ dataPlane, log }: Deps) => {
  async function problemOf(ref: string, target: { schema: string; name: string }) {
    try {
      const { schema, name } = target
      const body = { schema, name }
      return (await dataPlane.ask(dataPlaneApi.hookFunction, { params: { ref }, body })).problem
    } catch (error) {
      log.info({ err: error, ref }, 'the function of a hook could not be looked at')
      return null
    }
  }

  return async (ref: string, before: AuthSettings, after: AuthSettings): Promise<Problem[]> => {
    const problems: Problem[] = []
    for (const hook of authHooks) {
      const [enabled, uri] = [`HOOK_${hook}_ENABLED`, `HOOK_${hook}_URI`] as const
      const isNew = after[uri] !== before[uri] || (after[enabled] && !before[enabled])
      const target = isNew ? hookTargetOf(after[uri]) : undefined
      const problem = target?.kind === 'database' ? await problemOf(ref, target) : null
      if (problem !== null) problems.push({ key: uri, message: problem })
    }
    return problems
  }
}
export type HookFunctionProblems = ReturnType<typeof createHookFunctions>
