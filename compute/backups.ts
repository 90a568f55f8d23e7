import type { Readable } from 'node:stream'
import type { DatabaseAddress, ProjectSpec } from './provider.ts'

/** Which backup; `id` is the caller's, of digits. */
export type BackupKey = { ref: string; id: string }

export type BackupFacts = {
  /** Of the file. */
  bytes: number
  /** The database is restored as it was at this moment. */
  takenAt: Date
}
/** What was read back. */
export type Readback = { tables: number; rows: number }

/** What to restore: a backup, or what a project's database was at a moment within its windows. */
export type RestorePoint = { ref: string } & ({ id: string } | { until: Date })

/** Between these the archive has everything; without `to` it goes on. */
export type ArchiveWindow = { from: Date; to: Date | undefined }

/**
 * Backups of whole servers, kept where the provider keeps them, beside the projects they are of and longer than their
 * data. Every operation may be repeated, also after this process was killed in the middle of it.
 */
export type Backups = {
  /** Copies the running server. `adminPassword` is that of `supabase_admin`. Throws where it does not run. */
  make(key: BackupKey, adminPassword: string): Promise<BackupFacts>
  /**
   * Reads a backup back in a server of its own that nobody reaches, all rows of all tables. Tables that nobody wrote to
   * since the backup began must have the rows that the running server has.
   * @throws BackupDamagedError
   */
  check(key: BackupKey, adminPassword: string): Promise<Readback>
  /** The file, a .tar.gz of a data directory with the WAL that it needs. Throws `UnknownBackupError`. */
  read(key: BackupKey): Promise<{ stream: Readable; bytes: number }>
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
   * @throws UnknownBackupError, NotCoveredError
   */
  restore(spec: ProjectSpec, from: RestorePoint, order: string): Promise<DatabaseAddress>
  /** Keeps all WAL from now on, or no longer. A change restarts a running server; the address is then the new one. */
  setArchive(ref: string, on: boolean): Promise<DatabaseAddress | undefined>
  /** Oldest first. One begins with the first backup after the archive was switched on, or after a restore. */
  windows(ref: string): Promise<ArchiveWindow[]>
}

export class UnknownBackupError extends Error {
  override name = 'UnknownBackupError'
}
export class BackupDamagedError extends Error {
  override name = 'BackupDamagedError'
}
/** The archive does not reach to the moment. */
export class NotCoveredError extends Error {
  override name = 'NotCoveredError'
}
