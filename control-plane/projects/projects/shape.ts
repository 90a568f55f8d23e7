import type { ProjectNames, UpgradeFailure } from '#compute/provider'
import { projectEndpoint, publicUrl } from '#contract/projects/project-address'
import type { Project, ProjectListItem } from '#contract/projects/projects'
import type { ProjectRow } from './store.ts'

/** GB of disk that every project is shown with until disks can be configured. */
export const volumeSizeGb = 8

export type Shaping = {
  /** `https://{ref}.example.com`, `http://localhost:8001/{ref}`. */
  projectUrl: string
  /** Where people connect with psql: the name of the machine the databases run on. */
  databaseHost: string
  /** Of the login that people have, and of the database. */
  names: ProjectNames
  /** The marker that metadata calls carry (`x-connection-encrypted`). */
  connectionMarker: (ref: string) => string
  /** Whether the provider keeps backups. */
  keepsBackups: boolean
  /** True while the provider cannot look at this project: it is shown as UNKNOWN. */
  unknown: (ref: string) => boolean
  /** Why it goes on without what this version has for it. */
  upgradeFailure: (ref: string) => UpgradeFailure | undefined
}

/** A row as the API shows it. `answers`: its data API does. */
export function shapeProject(row: ProjectRow, shaping: Shaping, answers: boolean): Project {
  const { upgradeFailure } = shaping
  const endpoint = projectEndpoint(row.ref, shaping.projectUrl)
  return {
    ...base(row, shaping),
    slug: row.organization_slug,
    connectionString: row.db_address ? shaping.connectionMarker(row.ref) : null,
    postgrestStatus: answers ? 'ONLINE' : 'OFFLINE',
    restUrl: `${endpoint}/rest/v1/`,
    endpoint,
    public_url: publicUrl(row.ref, row, shaping.projectUrl),
    db_host: shaping.databaseHost,
    db_port: row.db_address?.port ?? null,
    db_user: shaping.names.customer,
    db_name: shaping.names.database,
    parent_project_ref: row.parent_ref,
    volumeSizeGb,
    maxDatabasePreprovisionGb: null,
    lastDatabaseResizeAt: null,
    failure: row.failure,
    upgrade_failure: upgradeFailure(row.ref) ?? null,
  }
}

export function shapeListItem(row: ProjectRow, shaping: Shaping): ProjectListItem {
  return {
    ...base(row, shaping),
    disk_volume_size_gb: volumeSizeGb,
    preview_branch_refs: row.branch_refs,
  }
}

const base = (row: ProjectRow, { unknown, keepsBackups }: Shaping) => ({
  id: Number(row.id),
  ref: row.ref,
  name: row.name,
  organization_id: Number(row.organization_id),
  organization_slug: row.organization_slug,
  status: unknown(row.ref) ? ('UNKNOWN' as const) : row.status,
  dbVersion: row.db_version,
  // The column holds only what the contract let in.
  cloud_provider: row.cloud_provider as Project['cloud_provider'],
  region: row.region,
  infra_compute_size: row.compute_size,
  is_branch_enabled: row.branch_refs.length > 0 || row.parent_ref !== null,
  is_physical_backups_enabled: keepsBackups,
  subscription_id: null,
  inserted_at: row.inserted_at.toISOString(),
})
