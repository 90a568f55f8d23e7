import type { ColumnType } from 'kysely'
import type { JoinRole } from '#contract/organizations/sso'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** The tables of 0007_sso.sql. */
export type SsoTables = {
  'platform.organization_sso': {
    organization_id: string
    provider_id: string
    join_role: JoinRole
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.sso_domains': {
    organization_id: string
    domain: string
    token: string
    verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
}
