import { ApiError } from '#kit/errors'
import { LibraryError } from '#kit/library-thread'
import { DetailedError } from '../failures.ts'
import { readSql } from '../parser.ts'
import { callLibrary } from '../sql-libraries.ts'

/** The text with its lines broken as people do. */
export async function formatSql(query: string): Promise<string> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const how = { language: 'postgresql', keywordCase: 'preserve', tabWidth: 2 }
  try {
    return String(await callLibrary('sql-formatter', 'format', query, how))
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error
    throw new ApiError('invalid_input', `The query cannot be read: ${error.message.split('\n')[0]}`)
  }
}

/** The parse tree of Postgres's own grammar. */
export async function parseTree(query: string): Promise<Record<string, unknown>> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const read = await readSql(query)
  if (!('message' in read)) return { ...read }
  const { message, position } = read
  throw new DetailedError('query_failed', message, {
    // syntax_error, which is all that a parser finds.
    code: '42601',
    formattedError: `ERROR:  42601: ${message}\n`,
    ...(position === undefined ? {} : { position: position + 1 }),
  })
}
