import { DuckDBInstance } from '@duckdb/node-api'
import type { Measured } from './compare.ts'
import { measureHere } from './log-world.ts'

/** SQL over files as anyone would run it, in this process and with the same processors. */
export async function bareEngine(files: string) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  return {
    run: (sql: (from: string) => string, times: number): Promise<Measured> =>
      measureHere(
        async () => (await connection.runAndReadAll(sql(`read_parquet('${files}')`))).getRows(),
        times,
      ),
    close: () => connection.closeSync(),
  }
}
