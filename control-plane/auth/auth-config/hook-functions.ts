import { z } from 'zod'
import { authHooks, hookTargetOf } from '#contract/auth/auth-hooks'
import type { AuthSettings } from '#contract/auth/auth-config-keys'
import type { Log } from '#kit/log'
import type { Problem } from './rules.ts'

type Deps = { dataPlaneUrl: string; internalToken: string; log: Log }

const longestWaitMs = 10_000
const Answer = z.object({ problem: z.string().nullable() })

/**
 * Whether the functions that `after` makes hooks can be asked: they are there, take what hooks are told, and the auth
 * service may call them. Of a project that does not run nobody can tell; its service says so when it asks.
 */
export const createHookFunctions = ({ dataPlaneUrl, internalToken, log }: Deps) => {
  async function problemOf(ref: string, target: { schema: string; name: string }) {
    const { schema, name } = target
    try {
      const response = await fetch(`${dataPlaneUrl}/internal/projects/${ref}/hook-function`, {
        method: 'POST',
        headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ schema, name }),
        signal: AbortSignal.timeout(longestWaitMs),
      })
      if (response.ok) return Answer.parse(await response.json()).problem
      log.info({ ref, status: response.status }, 'the function of a hook could not be looked at')
    } catch (error) {
      log.info({ err: error, ref }, 'the function of a hook could not be looked at')
    }
    return null
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
