import type { Readable } from 'node:stream'
import type { LoginRole } from '#contract/database/login-roles'
import type { ServerLogEntry } from '#contract/observability/server-log'
import type { BranchMask } from '#contract/projects/branch-masks'

/**
 * Where the database of a project runs. One implementation per kind of place; `testing/conformance.ts` is the suite
 * that each must pass. Every operation may be repeated at any time, also after this process was killed in the middle
 * of it: what is already so stays so, and what was left half done is finished or thrown away.
 */
export type Provider = {
  /** Gets ready for work: recovers what a crash left half done and prepares what makes `create` fast. Call it once. */
  prepare(): Promise<void>
  /** Makes the project's server and starts it. An existing one keeps its data and passwords and is only started. */
  create(spec: ProjectSpec): Promise<DatabaseAddress>
  /** Throws `UnknownProjectError` where nothing was created. The address may differ from the last one. */
  start(ref: string): Promise<DatabaseAddress>
  /** Writes everything down and ends every process of the project. The data stays. */
  stop(ref: string): Promise<void>
  restart(ref: string): Promise<DatabaseAddress>
  /**
   * Has the server run with these limits from now on: it is started anew, once, where it runs with others, and started where it is
   * stopped. When it does not come up, it is left stopped with these limits; whoever asked gives it back those that it had.
   * Absent where the server is somebody else's.
   */
  resize?(ref: string, limits: ProjectLimits): Promise<Changed>
  /** Those that the server has, or has when it starts. Undefined where nothing was created; absent where `resize` is. */
  limits?(ref: string): Promise<ProjectLimits | undefined>
  /** What the machine that servers run on has for all of them together; undefined until that is known. Absent where it is somebody else's. */
  capacity?(): MachineCapacity | undefined
  /** Ends and removes everything of the project, for ever. */
  destroy(ref: string): Promise<void>
  inspect(ref: string): Promise<Observation>
  /** Whether the server answers now. Cheap, needs no password and takes at most 2 seconds. */
  probe(ref: string): Promise<boolean>
  /** Every ref that has anything in the world, also what `inspect` calls absent: leftovers that `destroy` removes. */
  list(): Promise<string[]>
  /**
   * Makes transactions read only unless they ask for more, at once and for as long as it is not taken back, also over
   * restarts. For direct connections: whoever owns the database can still ask; the platform's services do not.
   */
  setReadOnly(ref: string, readOnly: boolean): Promise<void>
  /** What the server takes of the disk; undefined where nothing was created, or where only a server that runs can tell. Absent where the server is somebody else's. */
  diskUse?(ref: string): Promise<DiskUse | undefined>
  /**
   * Something that changes with all that the server writes, at the latest when it commits: what was counted before holds
   * while it is the same. Costs little. Undefined where `diskUse` is. Absent where that is.
   */
  diskMark?(ref: string): Promise<string | undefined>
  /**
   * What the server uses of its machine now. Costs little. Undefined where it does not run, or nobody can tell. Absent where the server is somebody else's.
   */
  load?(ref: string): Promise<ServerLoad | undefined>
  /** Bytes that are left where the servers are, and that there are. Absent where that is somebody else's. */
  diskSpace?(): Promise<{ free: number; size: number }>
  /**
   * Writes down in the server's own rules from which networks (CIDR) people may connect, should it ever listen on an address
   * of its own; null: from this machine. The gateway in front of it decides about people. Absent where the server is somebody else's.
   */
  setNetworks?(ref: string, networks: readonly string[] | null): Promise<void>
  /**
   * Gives a server whose passwords nobody knows any more those of `spec`, and leaves it stopped. Its limits stay what
   * they are. Throws `UnknownProjectError` where there is none. Absent where the server is somebody else's.
   */
  adopt?(spec: Pick<ProjectSpec, 'ref' | 'passwords'>): Promise<{ limits: ProjectLimits }>
  /**
   * Looks for superusers, memberships, owners and rights that no project is given, takes away what it safely can, and logs all of
   * it. Never fails because of the project; undefined where no server runs. `checkedProvider` calls it after each start. Absent where the server is somebody else's.
   */
  checkRoles?(ref: string, adminPassword: string): Promise<RoleLook | undefined>
  /**
   * What the server keeps of the password of a role that may sign in now, so that the pooler can check who does: a SCRAM-SHA-256
   * verifier, or `other`, which is not told. Undefined where no server runs, there is no such role, it has no password, or it is
   * one of the platform's. Absent where the server is somebody else's.
   */
  passwordVerifier?(ref: string, role: string, adminPassword: string): Promise<string | undefined>
  /**
   * Lets somebody sign in as a role of the platform's for a while (`loginRoles`), with a new password each time. False where no
   * server runs. Absent where the server is somebody else's.
   */
  openLogin?(ref: string, opening: LoginOpening, adminPassword: string): Promise<boolean>
  /** Lets nobody sign in as one of these, and ends their sessions. False where no server runs. Absent where `openLogin` is. */
  closeLogins?(ref: string, adminPassword: string): Promise<boolean>
  /** What a project runs on and could run on. Throws `UnknownProjectError` where there is none. Absent where nobody can choose. */
  versions?(ref: string): Promise<ServerVersions>
  /**
   * Has the server run on another build of the same major version, after one stop and start; repeated, it finishes what was broken off.
   * When it does not come up, calling it with the id from before brings back what there was.
   */
  changeVersion?(ref: string, id: string): Promise<Changed>
  /**
   * Why a project goes on without what this version has for it, as far as that is known by now; undefined where it has everything.
   * Each start of its server tries again. Absent where the server is somebody else's.
   */
  upgradeFailure?(ref: string): UpgradeFailure | undefined
  /**
   * Hands over what servers write to their logs, from where it was left: entries that were handed over come again, under the
   * same id, when this process ended before it could note that. What `take` rejects is handed over again. Call it once, before
   * `prepare`. Absent where the server is somebody else's.
   */
  onServerLog?(take: (ref: string, entries: ServerLogEntry[]) => Promise<void>): void
  /**
   * Gives the server of a project the keys of its vault that it is to have now (`VaultKeysOf`), at once; each start does so too. A
   * project that was never created, or is stopped, has none. Absent where the server is somebody else's.
   */
  layVaultKeys?(ref: string): Promise<void>
  /** What people call themselves when they connect, and the database. Absent where both are `postgres`. */
  names?: ProjectNames
  /** Absent where the server is somebody else's, who backs it up, or nobody has said where backups go. */
  backups?: Backups
  /** Absent where the server is somebody else's. */
  replicas?: ReadReplicas
  /** Ends this provider's own background work. Servers keep running. */
  close(): Promise<void>
}

export type ProjectNames = { customer: string; database: string }

/** `verifier`: of the password, as the server keeps it. */
export type LoginOpening = { role: LoginRole; verifier: string; until: Date }

export type ProjectSpec = {
  /** 20 lower-case letters, or `default` in self-hosted mode; every name in the world is derived from it. */
  ref: string
  /** Each a password, or a SCRAM-SHA-256 verifier where the password itself need not be known here. */
  passwords: {
    /** The customer's login `postgres`. */
    postgres: string
    /** The platform's services: see `serviceRoles`. */
    service: string
    /** The superuser `supabase_admin`, reachable over the unix socket only. */
    admin: string
  }
  /** What tables that are made in a new project are open to; private unless told. */
  newTables?: 'private' | 'granted'
  limits: ProjectLimits
}
/**
 * The keys that open the secrets in a project's vault, of 32 bytes each, by their ids (UUIDs). `current` is the one that seals;
 * `gone` are those that the server is to have no more.
 */
export type VaultKeys = {
  current: string
  keys: ReadonlyMap<string, Uint8Array>
  gone: readonly string[]
}
export type VaultKeysOf = (ref: string) => Promise<VaultKeys>

/** What one look at the roles, owners and rights of a project has found; `failure`: why it could not look. */
export type RoleLook = {
  findings: { found: string; repaired: boolean; failure?: string }[]
  failure?: string
}
/** In words for the members of the project, and when it was last tried (ISO). */
export type UpgradeFailure = { reason: string; at: string }
/** In bytes: the databases, and what the server keeps beside them, such as its write-ahead log. */
export type DiskUse = { database: number; other: number }
/** Of all processes of a server together. */
export type ServerLoad = {
  /** Of processors since it was started; less than before: it was started again. */
  cpuSeconds: number
  memoryBytes: number
  /** Open ones, those of the platform's services included. */
  connections: number
  /** Another one whenever the server was started again, also by itself after a crash. Undefined while it is being started. */
  start?: string
  /** Bytes that went from and to the disk since it was started. Undefined where the kernel does not count them. */
  disk?: { read: number; written: number }
}
/** What a server runs on: the version as people say it, and an id that tells apart two builds of it. */
export type ServerVersion = { id: string; version: string }
/** `latest` is what a new project runs on; `extensions` are all that it has, by their names. */
export type ServerVersions = {
  current: ServerVersion
  latest: ServerVersion & { extensions: readonly string[] }
}
/** What the compute size of a project gives it. */
export type ProjectLimits = { maxConnections: number }
/** `downMs`: milliseconds for which a server that ran answered nobody; undefined where it went on, or had not run. */
export type Changed = { address: DatabaseAddress; downMs: number | undefined }
export type MachineCapacity = { memoryBytes: number; cores: number }

/** The login roles that share the service password. */
export const serviceRoles = [
  'authenticator',
  'authenticator_anon',
  'authenticator_authenticated',
  'authenticator_service_role',
  'supabase_auth_admin',
  'supabase_storage_admin',
  'plinth_storage',
  'supabase_realtime_admin',
  'plinth_realtime',
  'plinth_read_only',
  'plinth_sql',
] as const

/**
 * The server listens on its unix socket alone, which is for the platform on the same machine. `port` is in the name of that socket,
 * and the port of 127.0.0.1 at which the gateway takes the connections of people. A database that was there before Plinth may
 * be elsewhere: `socketDir` is then a host name.
 */
export type DatabaseAddress = {
  socketDir: string
  port: number
  /** Of the database in the server; `postgres` unless told. */
  name?: string
  /** Encrypted; `verify-full`: and its certificate is checked. */
  tls?: 'require' | 'verify-full'
}

export type Observation =
  /** Nothing usable is there; leftovers of an unfinished create or destroy count as nothing. */
  | { state: 'absent' }
  | { state: 'stopped' }
  | { state: 'running'; address: DatabaseAddress }
  /** The provider could not look. Says nothing about the project. */
  | { state: 'unknown'; reason: string }

/** Which backup; `id` is the caller's, of digits. */
export type BackupKey = { ref: string; id: string }

export type BackupFacts = {
  /** Of the file, or of all that it is made of. */
  bytes: number
  /** The database is restored as it was at this moment. */
  takenAt: Date
}
/** What was read back. */
export type Readback = { tables: number; rows: number }

/** What to restore: a backup, or what a project's database was at a moment within its windows. */
export type RestorePoint = { ref: string } & ({ id: string } | { until: Date })

/**
 * What is changed in a copy before anybody reaches it: values of these columns are replaced, and without `rows` the tables that people
 * and services fill are emptied. Nothing of what was there before is left in the copy's files.
 */
export type CopyChanges = { rows: boolean; masks: readonly BranchMask[] }

/** Between these the archive has everything; without `to` it goes on. */
export type ArchiveWindow = { from: Date; to: Date | undefined }

/**
 * Backups of whole servers, kept where the provider keeps them, beside the projects they are of and longer than their
 * data. Every operation may be repeated, also after this process was killed in the middle of it.
 */
export type Backups = {
  /** A copy has all rows as they are: `changes` of a restore are refused. */
  wholeCopiesOnly?: true
  /** Copies the running server. `adminPassword` is that of `supabase_admin`. Throws where it does not run. */
  make(key: BackupKey, adminPassword: string): Promise<BackupFacts>
  /**
   * Reads a backup back in a server of its own that nobody reaches, all rows of all tables. Tables that nobody wrote to
   * since the backup began must have the rows that the running server has.
   * @throws BackupDamagedError
   */
  check(key: BackupKey, adminPassword: string): Promise<Readback>
  /**
   * The file, a .tar.gz of a data directory with the WAL that it needs. Throws `UnknownBackupError`. Absent where a backup is no file.
   */
  read?(key: BackupKey): Promise<{ stream: Readable; bytes: number }>
  /** Together with what only it needs of the archive. Nothing there is fine. */
  remove(key: BackupKey): Promise<void>
  /** Refs of which there is a folder, whoever they are. */
  refs(): Promise<string[]>
  /** What is known of the file. Throws `UnknownBackupError`. */
  facts(key: BackupKey): Promise<BackupFacts>
  /** The ids of those that are whole. */
  list(ref: string): Promise<string[]>
  /**
   * Makes the project `spec.ref` with the data of the point, in a new place; only when it runs there and has its
   * passwords does it take the place of what there was. Until then the old one is as it was, and after a failure stays so.
   * An order is carried out once: when it comes again, with a platform database that was itself restored, the project
   * stays as it has become since.
   * `changes` are made in the new place before; where they cannot be, there is no restored project.
   * @throws UnknownBackupError, NotCoveredError, CopyRefusedError
   */
  restore(
    spec: ProjectSpec,
    from: RestorePoint,
    order: string,
    changes?: CopyChanges,
  ): Promise<DatabaseAddress>
  /** Keeps all WAL from now on, or no longer. A change restarts a running server; the address is then the new one. */
  setArchive(ref: string, on: boolean): Promise<DatabaseAddress | undefined>
  /** Oldest first. One begins with the first backup after the archive was switched on, or after a restore. */
  windows(ref: string): Promise<ArchiveWindow[]>
}

/** Which read replica; `id` is the caller's, of five lower-case letters. */
export type ReplicaKey = { ref: string; id: string }

export const isReplicaId = (id: string): boolean => /^[a-z]{5}$/.test(id)

export type ReplicaStatus = {
  id: string
  /**
   * `catching_up`: its server runs and is not up to date, or not connected. `stopped`: it does not run, as while the project
   * does not. `broken`: nothing but making it anew mends it.
   */
  state: 'streaming' | 'catching_up' | 'stopped' | 'broken'
  /** While its server runs. */
  address?: DatabaseAddress
  /** Bytes of write-ahead log that it has not replayed yet. Undefined while nobody can tell. */
  lagBytes?: number
  /** Seconds from a commit until it was visible there, when that was last measured. Undefined while nobody can tell. */
  lagSeconds?: number
  /** In words, unless it is streaming. */
  reason?: string
}

/**
 * Copies of a project's server that follow it and can be read. They have its passwords and its size, run while it does, and are
 * started anew by themselves when they end. Every operation may be repeated, also after this process was killed in the middle of it.
 * A restore in place leaves them broken: they follow a history that is no more.
 */
export type ReadReplicas = {
  /**
   * Makes a replica and starts it; one that is broken is made anew, one that is well is only started.
   * Throws where the project's server does not run.
   */
  make(key: ReplicaKey, adminPassword: string): Promise<DatabaseAddress>
  /** @throws UnknownReplicaError */
  restart(key: ReplicaKey): Promise<DatabaseAddress>
  /** Ends and removes it, with what the project's server keeps for it. Nothing there is fine. */
  drop(key: ReplicaKey, adminPassword: string): Promise<void>
  /**
   * The replica takes the place of the project's server, with its address, its passwords and its limits, and is no replica any more.
   * What was the server before never runs again, and is removed when the new one has come up once. Other replicas are broken then.
   * An order is carried out once; repeated, it finishes what was broken off.
   * @throws UnknownReplicaError, NotCaughtUpError
   */
  promote(key: ReplicaKey, adminPassword: string, how: Promotion): Promise<DatabaseAddress>
  /** Those of a project by their ids, also while it is stopped. */
  list(ref: string, adminPassword: string): Promise<ReplicaStatus[]>
}

/** `force`: although the replica may lack what was written last, as the project's server cannot be asked. */
export type Promotion = { order: string; force: boolean }

/** The replica lacks something that the project's server has, which runs on as before. */
export class NotCaughtUpError extends Error {
  override name = 'NotCaughtUpError'
}
export class UnknownReplicaError extends Error {
  override name = 'UnknownReplicaError'
  readonly key: ReplicaKey
  constructor(key: ReplicaKey) {
    super(`Project ${key.ref} has no read replica ${key.id}`)
    this.key = key
  }
}
export class UnknownProjectError extends Error {
  override name = 'UnknownProjectError'
  readonly ref: string
  constructor(ref: string) {
    super(`No database server exists for project ${ref}`)
    this.ref = ref
  }
}
export class UnknownBackupError extends Error {
  override name = 'UnknownBackupError'
}
export class BackupDamagedError extends Error {
  override name = 'BackupDamagedError'
}
/** What was to be changed in a copy cannot be; the message is for people, and has nothing of what is stored. */
export class CopyRefusedError extends Error {
  override name = 'CopyRefusedError'
}
/** The archive does not reach to the moment. */
export class NotCoveredError extends Error {
  override name = 'NotCoveredError'
}
