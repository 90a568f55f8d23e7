import type { LogDrain, LogDrainTest } from '#contract/observability/log-drain-shapes'
import { auditLogDrains, logDrains } from '#contract/observability/log-drains'
import { call, q, useChange } from '../../../api/client.ts'

/** Whose drains: those of a project's logs, or of an organization's audit log. */
export type Owner = { ref: string } | { slug: string }

export const drainsQuery = (owner: Owner) => ({
  ...('ref' in owner ? q(logDrains.list, owner) : q(auditLogDrains.list, owner)),
  // Their state changes by itself.
  refetchInterval: 15_000,
})

/** The endpoints, for who asks whether one may. */
export const endpointsOf = (owner: Owner) => ('ref' in owner ? logDrains : auditLogDrains)

type New = Pick<LogDrain, 'name' | 'description' | 'type' | 'config'>
type Changed = Pick<LogDrain, 'token'> & Partial<Pick<LogDrain, 'enabled' | keyof New>>
type Tested = Pick<LogDrain, 'type' | 'config'> & { token?: string }

const ofDrains = [logDrains.list, auditLogDrains.list]

/** Adds a drain, or changes the one that `token` names. */
export function useSave(owner: Owner, onSaved: (saved: LogDrain) => void) {
  return useChange<LogDrain, New | Changed>(
    (drain) => {
      if ('token' in drain)
        return 'ref' in owner
          ? call(logDrains.update, { ...owner, ...drain })
          : call(auditLogDrains.update, { ...owner, ...drain })
      return 'ref' in owner
        ? call(logDrains.create, { ...owner, ...drain })
        : call(auditLogDrains.create, { ...owner, ...drain })
    },
    { changes: ofDrains, onSuccess: onSaved },
  )
}

export const useTest = (owner: Owner) =>
  useChange<LogDrainTest, Tested>((drain) =>
    'ref' in owner
      ? call(logDrains.test, { ...owner, ...drain })
      : call(auditLogDrains.test, { ...owner, ...drain }),
  )

export const useRemove = (owner: Owner, onRemoved: () => void) =>
  useChange<{ token: string }, string>(
    (token) =>
      'ref' in owner
        ? call(logDrains.remove, { ...owner, token })
        : call(auditLogDrains.remove, { ...owner, token }),
    { changes: ofDrains, onSuccess: onRemoved },
  )
