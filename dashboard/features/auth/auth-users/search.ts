import { textParams, type SearchOf } from '../../../session/search-params.ts'

/** What the address of the list holds; `user` is the one that is open. */
export const userParams = textParams(
  ...(['q', 'field', 'match', 'state', 'provider', 'sort', 'order', 'user'] as const),
)
export type UserFilter = { [Name in keyof SearchOf<typeof userParams>]?: string | undefined }

/** What the address of the audit entries holds: days as YYYY-MM-DD. */
export const auditParams = textParams('action', 'actor', 'user', 'from', 'to')
export type AuditFilter = { [Name in keyof SearchOf<typeof auditParams>]?: string | undefined }
