import { changeName, type Change } from '../change.ts'
import { ident, qualified } from '../sql-text.ts'

type Named = { schema: string; name: string }

/** What it takes along cannot be brought back, so there is no inverse. */
export const dropTable = ({ schema, name }: Named, cascade: boolean): Change => ({
  name: changeName('drop table', name),
  statements: [`drop table ${qualified(schema, name)}${cascade ? ' cascade' : ''}`],
})

export const dropColumn = ({ schema, name }: Named, column: string, cascade: boolean): Change => ({
  name: changeName('drop column', column, 'from', name),
  statements: [
    `alter table ${qualified(schema, name)} drop column ${ident(column)}${cascade ? ' cascade' : ''}`,
  ],
})
