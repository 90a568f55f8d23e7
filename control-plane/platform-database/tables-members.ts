import type { ColumnType, Generated } from 'kysely'
import type { RoleName } from '#contract/permissions'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** The tables of 0002_members.sql. */
export type MemberTables = {
  'platform.project_roles': {
    id: Generated<string>
    organization_id: string
    user_id: string
    base_role: RoleName
    inserted_at: Stamp
  }
  'platform.project_role_projects': { project_id: string; user_id: string; role_id: string }
  'platform.invitations': {
    id: Generated<string>
    organization_id: string
    email: string
    role: RoleName
    project_ids: string[] | null
    token_hash: string
    invited_by: string
    invited_by_email: string
    invited_at: Stamp
    expires_at: Date
    closed_at: Date | null
  }
  'platform.invitation_mails': { id: Generated<string>; organization_id: string; sent_at: Stamp }
}
