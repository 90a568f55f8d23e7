import { changeName, type Change } from './change.ts'
import { ident, qualified } from './sql-text.ts'
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
