import {
  authKeys,
  type AuthKey,
  type AuthSettings,
  isSecret,
} from '#contract/auth/auth-config-keys'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Hidden } from './hidden.ts'
import type { HookFunctionProblems } from './hook-functions.ts'
import { beyondPlan, contradictionsIn, withinPlan, type Problem } from './rules.ts'
import type { AuthConfigStore } from './store.ts'
import type { Stored } from './stored.ts'

/** Most characters of a text in the audit log, which keeps every version of every mail otherwise. */
const longestShown = 200

/** These settings for the audit log: of secrets only whether there is one, of long texts the beginning. */
const shownChange = (settings: AuthSettings, names: readonly AuthKey[]) =>
  Object.fromEntries(names.map((key) => [key, shown(key, settings[key])]))

function shown(key: AuthKey, value: AuthSettings[AuthKey]): unknown {
  if (isSecret(key)) return value === '' ? 'none' : 'set'
  if (typeof value !== 'string' || value.length <= longestShown) return value
  return `${value.slice(0, longestShown)}…`
}

type Deps = {
  store: AuthConfigStore
  stored: Stored
  hidden: Hidden
  audited: Audited
  /** Text messages that no service sends are kept where people see them. */
  hasOutbox: boolean
  /** What is wrong with functions that become hooks. */
  hookProblems: HookFunctionProblems
  /** Codes by text message as a second factor are paid for while they are on. */
  settlePhones: (tx: Tx, ref: string) => Promise<void>
}

/** What is named is changed; null takes the default back. */
export type AuthChanges = { [K in AuthKey]?: AuthSettings[K] | null | undefined }

/** How the caller calls a key; programs of /v1 know them in lower case. */
type Naming = (key: AuthKey) => string

export function createAuthConfig(deps: Deps) {
  const { store, stored, hidden, audited, hasOutbox, hookProblems, settlePhones } = deps
  async function get(ref: string): Promise<AuthSettings> {
    const found = await store.find(ref)
    if (!found) throw new ApiError('project_not_found')
    return hidden.hideAll(ref, withinPlan(stored.all(ref, found), found.plan))
  }

  /** The named settings; secrets that come back as they were shown stay as they are. */
  function changesOf(ref: string, asked: AuthChanges, before: AuthSettings, naming: Naming) {
    const changes = new Map<AuthKey, unknown>()
    for (const key of authKeys) {
      const value = asked[key]
      if (value === undefined) continue
      if (!hidden.isHidden(value)) changes.set(key, value)
      else if (value !== hidden.hide(ref, key, String(before[key]))) {
        const message = 'is not the secret but what is shown in its place'
        throw refusal([{ key, message }], naming)
      }
    }
    return changes
  }

  async function update(
    caller: Caller,
    ref: string,
    asked: AuthChanges,
    origin: Origin,
    naming: Naming = (key) => key,
  ): Promise<AuthSettings> {
    const named = authKeys.filter((key) => asked[key] !== undefined)
    if (named.some((key) => !/^(SMTP|HOOK)_/.test(key))) {
      const needed = { action: 'write:Update', resource: 'custom_config_gotrue' } as const
      await caller.authorize({ ...needed, in: 'project' }, { ref })
    }
    if (named.some((key) => key.startsWith('HOOK_'))) {
      const needed = { action: 'write:Create', resource: 'custom_config_gotrue.hooks' } as const
      await caller.authorize({ ...needed, in: 'project' }, { ref })
    }
    await audited({ caller, ref, origin }, 'authConfig.update', async (tx, project) => {
      const kept = await store.find(ref, tx)
      if (!kept) throw new ApiError('project_not_found')
      const before = withinPlan(stored.all(ref, kept), kept.plan)
      const changes = changesOf(ref, asked, before, naming)
      const next = stored.keep(ref, kept, changes)
      const asks = stored.all(ref, next)
      const after = withinPlan(asks, kept.plan)
      const names = [...changes.keys()]
      const wrong = contradictionsIn(after, hasOutbox)
      if (wrong.length > 0) throw refusal(wrong, naming)
      const [beyond] = beyondPlan(asks, names, kept.plan)
      if (beyond) throw new ApiError('plan_limit', line(beyond, naming))
      const unfit = await hookProblems(ref, before, after)
      if (unfit.length > 0) throw refusal(unfit, naming)
      const changed = names.filter((key) => before[key] !== after[key])
      await store.save(tx, project.id, next)
      if (changed.some((key) => /^MFA_PHONE_\w+_ENABLED$/.test(key))) await settlePhones(tx, ref)
      if (changed.length === 0) return {}
      return {
        change: { before: shownChange(before, changed), after: shownChange(after, changed) },
      }
    })
    return get(ref)
  }

  return {
    get,
    update,
    /** For the service itself, secrets in clear: what was chosen and the plan has, and what the installation has chosen. */
    async forService(ref: string): Promise<Partial<AuthSettings>> {
      const found = await store.find(ref)
      return {
        ...stored.installed,
        ...(found && withinPlan(stored.chosen(ref, found), found.plan)),
      }
    },
  }
}
export type AuthConfigs = ReturnType<typeof createAuthConfig>

const line = ({ key, message }: Problem, naming: Naming) => `${naming(key)}: ${message}`

function refusal(problems: readonly Problem[], naming: Naming): ApiError {
  return new ApiError('invalid_input', problems.map((one) => line(one, naming)).join('; '))
}
