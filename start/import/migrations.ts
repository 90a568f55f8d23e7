import { refusalOf } from './apply.ts'
import { noteMigrations, readMigrations } from './migrations-store.ts'
import type { Run } from './parts.ts'
import { attempt } from './source-store.ts'
import { inTransaction } from './state-store.ts'

/** The record of migrations: whoever pushes the next one finds that the earlier ones are there. */
export async function importMigrations(run: Run): Promise<void> {
  const { source, target, report, isRehearsal } = run
  try {
    const migrations = await attempt(source, () => readMigrations(source))
    if (migrations.length === 0) return
    const found = migrations.length
    report.count('schema', 'migration', { found })
    if (isRehearsal) return
    const imported = await inTransaction(target, () => noteMigrations(target, migrations))
    report.count('schema', 'migration', { imported, before: found - imported })
  } catch (error) {
    report.leave('schema', 'migration', 'supabase_migrations', refusalOf(error).reason)
  }
}
