import { migrationTools } from '#contract/database/migration-tools'
import { migrations } from '#contract/database/migrations'
import { inTransaction } from '../connections.ts'
import { applyFile, markMigration } from './migration-files.ts'
import {
  changeAlone,
  changeInTransaction,
  ensureRecord,
  holdRecord,
  listMigrations,
} from './migrations.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { acceptStructure, driftOf } from './structure.ts'

/** `own`: a session for SQL that is the caller's and may leave anything behind. */
export const migrationRoutes = (read: UseSession, own: UseSession): MetaRoute[] => [
  answer(own, migrations.change, (db, input, { by }) =>
    input.transaction ? changeInTransaction(db, input, by) : changeAlone(db, input, by),
  ),
  answer(read, migrations.list, listMigrations),
  answer(own, migrationTools.apply, (db, input, { by }) => applyFile(db, input, by)),
  answer(own, migrationTools.mark, (db, input, { by }) => markMigration(db, input, by)),
  answer(read, migrationTools.drift, (db) => inTransaction(db, () => driftOf(db))),
  answer(own, migrationTools.accept, (db) =>
    inTransaction(db, async () => {
      await holdRecord(db)
      await ensureRecord(db)
      return acceptStructure(db)
    }),
  ),
]
