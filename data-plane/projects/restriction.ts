import type { ErrorCode } from '#contract/errors'
import type { ProjectConnection } from '#contract/internal'

type Restricted = Pick<ProjectConnection, 'restricted' | 'mayDelete' | 'writableUntil'>

/** How a project is restricted: `quota` leaves deleting, `all` leaves nothing but reading. */
export const restrictionOf = ({ restricted, mayDelete }: Restricted): Restriction | undefined =>
  restricted ? (mayDelete ? 'quota' : 'all') : undefined
export type Restriction = 'quota' | 'all'

export const restrictionErrors: Record<Restriction, ErrorCode> = {
  quota: 'quota_exceeded',
  all: 'organization_restricted',
}

/** What holds for SQL that people run: they can ask for a while in which to delete with it (control-plane/projects/disk). */
export function sqlRestrictionOf(connection: Restricted): Restriction | undefined {
  const restriction = restrictionOf(connection)
  const { writableUntil: until } = connection
  const isOpen = until !== null && Date.parse(until) > Date.now()
  return restriction === 'quota' && isOpen ? undefined : restriction
}
