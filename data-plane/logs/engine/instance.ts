import type { DuckDBConnection } from '@duckdb/node-api'
import { listOf } from './entries.ts'

type Library = typeof import('@duckdb/node-api')

/**
 * An engine that may open these files and nothing else of the machine, for one piece of work: nothing is left of it for the
 * next. It has no extension and no folder to put aside what does not fit into its memory, and whoever speaks SQL to it
 * cannot change that.
 */
export async function openInstance(library: Library, memoryMb: number, paths: readonly string[]) {
  const instance = await library.DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${memoryMb}MB`,
    max_temp_directory_size: '0B',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run(`set allowed_paths = ${listOf(paths)}`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
  return {
    connection,
    close(): void {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
export type Instance = { connection: DuckDBConnection; close(): void }
export type { Library }
