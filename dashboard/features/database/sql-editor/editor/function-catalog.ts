import { sqlTools, type SqlFunction } from '#contract/database/sql/sql-tools'
import { queryClient } from '../../../../api/client.ts'
import { databaseQuery } from '../../../../session/project/database.ts'

const quarterHour = 15 * 60_000

/** The functions of a name, or the project's own. Nothing when they cannot be read: typing goes on without help. */
export async function readFunctions(ref: string, name?: string): Promise<readonly SqlFunction[]> {
  try {
    const input = { ref, ...(name === undefined ? {} : { name }) }
    return await queryClient.ensureQueryData({
      ...databaseQuery(sqlTools.functions, input, quarterHour),
      revalidateIfStale: true,
    })
  } catch {
    return []
  }
}
