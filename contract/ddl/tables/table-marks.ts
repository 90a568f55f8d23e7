import { changeName, type Change } from '../change.ts'
import { ident, qualified } from '../sql-text.ts'
import { realtimeSql, rlsSql } from './table-access.ts'
import { realtimePublication } from './table-shape.ts'

type Table = { schema: string; name: string }

const words = (on: boolean) => (on ? 'enable' : 'disable')

/** Row level security of a table, on or off. */
export function setRowSecurity({ schema, name }: Table, on: boolean): Change {
  const table = qualified(schema, name)
  return {
    name: changeName(words(on), 'row level security', name),
    statements: [rlsSql(table, on)],
    inverse: [rlsSql(table, !on)],
  }
}

/** Whether changes of a table's rows are sent to clients. `exists`: the publication for that is there already. */
export function setRealtime({ schema, name }: Table, on: boolean, exists: boolean): Change {
  const publication = ident(realtimePublication)
  const table = qualified(schema, name)
  if (on && !exists)
    return {
      name: changeName('enable realtime', name),
      statements: [`create publication ${publication} for table ${table}`],
      inverse: [`drop publication ${publication}`],
    }
  return {
    name: changeName(words(on), 'realtime', name),
    statements: [realtimeSql(table, on)],
    inverse: [realtimeSql(table, !on)],
  }
}

/** Whether the table's owner is held to its policies, too. */
export function forceRowSecurity({ schema, name }: Table, on: boolean): Change {
  const sql = (forced: boolean) =>
    `alter table ${qualified(schema, name)} ${forced ? 'force' : 'no force'} row level security`
  return {
    name: changeName(on ? 'force' : 'no longer force', 'row level security', name),
    statements: [sql(on)],
    inverse: [sql(!on)],
  }
}

/** By what subscribers of a publication find a row that was changed or deleted: its key, all of it, nothing, or an index. */
export type ReplicaIdentity = 'DEFAULT' | 'FULL' | 'NOTHING' | { index: string }

export const setReplicaIdentity = ({ schema, name }: Table, identity: ReplicaIdentity): Change => ({
  name: changeName('replica identity', name),
  statements: [
    `alter table ${qualified(schema, name)} replica identity ${
      typeof identity === 'string' ? identity.toLowerCase() : `using index ${ident(identity.index)}`
    }`,
  ],
})
