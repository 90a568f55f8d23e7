import { ApiError } from '#kit/errors'
import { LibraryThread, ThreadRefusal } from '#kit/library-thread'

/**
 * Everybody who may write SQL can write some that a parser needs minutes for (comments inside each other take it the
 * square of their number) or overflows its stack: none of these libraries runs where everybody's requests do.
 */
const options = { longest: 2000, maxResult: 4_000_000, idle: 60_000 }
const threads = {
  'libpg-query': new LibraryThread({ library: 'libpg-query', ...options }),
  'pgsql-deparser': new LibraryThread({ library: 'pgsql-deparser', ...options }),
  'sql-formatter': new LibraryThread({ library: 'sql-formatter', ...options }),
}

/** @throws ApiError invalid_input for SQL that is too much for it, LibraryError for what the library says against it */
export async function callLibrary(
  library: keyof typeof threads,
  name: string,
  ...args: unknown[]
): Promise<unknown> {
  try {
    return await threads[library].call(name, ...args)
  } catch (error) {
    if (!(error instanceof ThreadRefusal)) throw error
    throw new ApiError(
      'invalid_input',
      'This SQL is too large or too deeply nested to be read. Make it shorter, or split it.',
    )
  }
}
