import { migrations } from '#contract/migrations'
import { changeAlone, changeInTransaction, listMigrations } from './migrations.ts'
import { answer, type MetaRoute, type UseSession } from './routes.ts'

/** `own`: a session for SQL that is the caller's and may leave anything behind. */
export const migrationRoutes = (read: UseSession, own: UseSession): MetaRoute[] => [
  answer(own, migrations.change, (db, input, { by }) =>
    input.transaction ? changeInTransaction(db, input, by) : changeAlone(db, input, by),
  ),
  answer(read, migrations.list, listMigrations),
]
