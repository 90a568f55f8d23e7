import type { Log } from '#kit/log'
import type { Migration } from '#kit/postgres/migrations'
import type { IpRange } from '#kit/network/ip-ranges'
import type { PostgresRuntime, ProjectPrograms } from '#kit/postgres/runtime'
import type { BackupFiles } from './backups/backup-files.ts'
import type { VaultKeysOf } from '../provider.ts'
import type { Containment } from './bounds/containment.ts'
import type { Folders } from './folders.ts'
import type { PortRange, Registry } from './registry.ts'
import type { Spares } from './spares.ts'
import type { Users } from './users.ts'

export type LocalOptions = {
  /** All state lives below this folder (PLINTH_HOME). */
  home: string
  /** What a project has, in this order, run as supabase_admin in the database `postgres`. */
  migrations: readonly Migration[]
  /** What of it a project has whose record says so by the name that the last version without records had for it. */
  beforeRecords?: BeforeRecords
  /** What a new project has beside it. */
  newProjectSql?: readonly string[]
  /** What a new project whose tables are granted at once has beside it. */
  grantedTablesSql?: string
  /** The keys that a project's server is to have; without it no vault seals or opens anything. */
  vaultKeys?: VaultKeysOf
  /** Where backups are kept, perhaps on another disk; below `home` unless told. */
  backups?: string
  log: Log
  /** For the TCP port of each project, on 127.0.0.1. */
  portRange?: PortRange
  /** As root every project gets a user of its own. Here it says which installation of this machine has which numbers. */
  userRanges?: string
  /** False: servers are held as on a machine that gives nobody a view of its own mounts (bounds/view.ts). */
  ownView?: boolean
  /**
   * What of the inner network servers may begin connections to; they are kept out of the rest where the machine lets us. Without it
   * nobody is kept out of anything.
   */
  reach?: readonly IpRange[]
  /** Copies of the template kept ready, so that a create does not wait for one. */
  spares?: number
  /** Milliseconds after which a session that fell silent has told what it has written. */
  statisticsLag?: number
  /** For tests: milliseconds between two looks at logs and read replicas. */
  lookMs?: number
  /** The folder of a PostgreSQL 17 that projects run on, in the place of the installed package. */
  postgresDir?: string | undefined
  /** Where else to look for the installed Postgres package, as file paths. */
  packagesFrom?: string[]
}

/** What a project has to have been given, and a name for exactly this. */
export type Upgrade = {
  migrations: readonly Migration[]
  key: string
  /** The same for the last version that kept no records of them. */
  beforeRecords: BeforeRecords | undefined
}
export type BeforeRecords = { key: string; names: ReadonlySet<string> }

/** Everything an operation of the local provider works with. */
export type Machine = {
  runtime: PostgresRuntime
  /** Of a server that starts now, with the builds that the operator has added by now; those that are installed now unless told which. */
  programs: (id?: string) => Promise<ProjectPrograms>
  folders: Folders
  registry: Registry
  spares: Spares
  users: Users
  containment: Containment
  upgrade: Upgrade
  grantedTablesSql: string | undefined
  /** What the platform has made in a project (platform-objects.ts). */
  objects: readonly string[]
  statisticsLag: number
  vaultKeys: VaultKeysOf | undefined
  backups: { files: BackupFiles }
  log: Log
}
