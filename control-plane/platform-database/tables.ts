import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { NewTables } from '#contract/data-api/data-api'
import type { RoleName } from '#contract/permissions'
import type { Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Snippet } from '#contract/database/snippets'
import type { OrganizationTables } from './tables-organizations.ts'
import type { BackupTables } from './tables-backups.ts'
import type { BillingTables } from './tables-billing.ts'
import type { AdvisorTables } from './tables-advisors.ts'
import type { AuthConfigTables } from './tables-auth-config.ts'
import type { ProjectSecretTables } from './tables-project-secrets.ts'
import type { AccountTables } from './tables-account.ts'
import type { KeyTables } from './tables-keys.ts'
import type { DiagramTables } from './tables-diagrams.ts'
import type { MailTables } from './tables-mail.ts'
import type { FunctionTables } from './tables-functions.ts'
import type { StorageJobTables } from './tables-storage-jobs.ts'
import type { SupportTables } from './tables-support.ts'
import type { DiskTables } from './tables-disk.ts'
import type { RoleLookTables } from './tables-role-looks.ts'
import type { OrphanTables } from './tables-orphans.ts'
import type { ShellTables } from './tables-shell.ts'
import type { MemberTables } from './tables-members.ts'
import type { SqlEditorTables } from './tables-sql-editor.ts'
import type { RealtimeTables } from './tables-realtime.ts'
import type { UsageTables } from './tables-usage.ts'
import type { SsoTables } from './tables-sso.ts'
import type { StorageTables } from './tables-storage.ts'
import type { ViewTables } from './tables-views.ts'
import type { WebhookTables } from './tables-webhooks.ts'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** Where a project's database listens: a socket directory, or the host of one that was there before Plinth. */
export type ProjectAddress = {
  host: string
  port: number
  name?: string
  tls?: 'require' | 'verify-full'
}

/** The platform database as the stores see it; migrations/ is what makes it so. */
export type Tables = CoreTables &
  BackupTables &
  FunctionTables &
  StorageJobTables &
  BillingTables &
  OrphanTables &
  DiskTables &
  RoleLookTables &
  ShellTables &
  AccountTables &
  OrganizationTables &
  MailTables &
  SupportTables &
  DiagramTables &
  MemberTables &
  SsoTables &
  AdvisorTables &
  AuthConfigTables &
  KeyTables &
  ProjectSecretTables &
  UsageTables &
  RealtimeTables &
  SqlEditorTables &
  StorageTables &
  WebhookTables &
  ViewTables

type CoreTables = {
  'platform.profiles': {
    /** bigint travels as text, because a JavaScript number cannot hold all of them. */
    id: Generated<string>
    user_id: string
    auth0_id: string
    username: string
    primary_email: string
    first_name: string | null
    last_name: string | null
    inserted_at: Stamp
    deleted_at: Generated<Date | null>
  }
  'platform.organizations': {
    id: Generated<string>
    slug: string
    name: string
    kind: string
    size: string | null
    tier: Tier
    billing_email: string | null
    inserted_at: Stamp
  }
  'platform.members': {
    organization_id: string
    user_id: string
    /** Null: this member has roles for single projects (platform.project_roles). */
    role: RoleName | null
    inserted_at: Stamp
  }
  'platform.projects': {
    id: Generated<string>
    ref: string
    organization_id: string
    name: string
    status: ProjectStatus
    status_since: Stamp
    job_id: string | null
    failure: string | null
    region: string
    cloud_provider: string
    compute_size: ComputeSizeId
    db_version: string
    /** Read as an object, written as JSON text. */
    db_address: ColumnType<ProjectAddress | null, string | null, string | null>
    sealed_secrets: string
    key_version: Generated<number>
    legacy_keys_disabled_at: Generated<Date | null>
    keys_optional: Generated<boolean>
    new_tables: Generated<NewTables>
    listen_port: Generated<number | null>
    /** CIDR; null: everywhere. */
    allowed_networks: Generated<string[] | null>
    /** Whether the server goes by them yet. */
    networks_applied: Generated<boolean>
    /** Under which project's name the secrets in its database were sealed; null: its own. */
    sealing_ref: Generated<string | null>
    keeps_wal_since: Generated<Date | null>
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.password_changes': {
    project_id: string
    begun_at: Generated<Date>
  }
  'platform.jobs': {
    id: Generated<string>
    name: string
    subject: string
    accepted_at: Stamp
    finished_at: Date | null
    failure: string | null
  }
  'platform.audit_entries': {
    id: Generated<string>
    organization_id: string | null
    actor_id: string | null
    actor_email: string | null
    action: string
    target: string
    change: JSONColumnType<Record<string, unknown>>
    ip: string | null
    user_agent: string | null
    request_id: string | null
    occurred_at: Stamp
    previous_hash: string
    hash: string
  }
  'platform.snippets': {
    id: string
    project_id: string
    owner_id: string
    name: string
    description: string | null
    type: 'sql'
    visibility: 'user' | 'project'
    content: JSONColumnType<Snippet['content']>
    folder_id: Generated<string | null>
    revision: Generated<number>
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.snippet_favorites': { snippet_id: string; user_id: string }
  'platform.mails': {
    id: Generated<string>
    tenant: string
    recipient: string
    subject: string
    body_text: string
    body_html: string
    sent_at: Stamp
  }
}
