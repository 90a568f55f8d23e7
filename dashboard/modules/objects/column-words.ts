import { ident } from '#contract/ddl/sql-text'
import { pgMeta } from '#contract/database/pg-meta'
import { queryClient } from '../../api/client.ts'
import type { CodeWord } from '../../ui/code/offer-words.ts'
import { databaseQuery } from '../../session/project/database.ts'

const quarterHour = 15 * 60_000

/** The columns of a table, for a text that is about its rows. */
export async function columnWords(ref: string, id: number): Promise<readonly CodeWord[]> {
  const query = databaseQuery(pgMeta.entity, { ref, id }, quarterHour)
  const { columns } = await queryClient.ensureQueryData(query)
  return columns.map(({ name, format }) => ({ label: name, insert: ident(name), about: format }))
}
