import type { Backup } from '#contract/projects/backups'
import type { BackupRow } from './store.ts'

const numberOf = (text: string | null) => (text === null ? null : Number(text))

export const shapeBackup = (row: BackupRow): Backup => ({
  id: Number(row.id),
  project_id: Number(row.project_id),
  inserted_at: row.inserted_at.toISOString(),
  status: row.status,
  isPhysicalBackup: true,
  reason: row.reason,
  taken_at: row.taken_at?.toISOString() ?? null,
  size_bytes: numberOf(row.size_bytes),
  tables: row.tables,
  rows: numberOf(row.rows),
  failure: row.failure,
  expires_at: row.expires_at.toISOString(),
})
