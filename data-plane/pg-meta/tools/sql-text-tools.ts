import { ApiError } from '#kit/errors'
import { DetailedError } from '../failures.ts'

/** The text with its lines broken as people do. Formatter and parser are loaded at their first use. */
export async function formatSql(query: string): Promise<string> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const { formatDialect, postgresql } = await import('sql-formatter')
  try {
    return formatDialect(query, { dialect: postgresql, keywordCase: 'preserve', tabWidth: 2 })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new ApiError(
      'invalid_input',
      `The query can not be read: ${error.message.split('\n')[0]}`,
    )
  }
}

/** The parse tree of Postgres's own grammar. */
export async function parseTree(query: string): Promise<Record<string, unknown>> {
  if (query.trim() === '') throw new ApiError('invalid_input', 'The query is empty')
  const { hasSqlDetails, parse } = await import('libpg-query')
  try {
    return { ...(await parse(query)) }
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
    const { message, cursorPosition } = error.sqlDetails ?? { message: error.message }
    throw new DetailedError('query_failed', message, {
      // syntax_error, which is all that a parser finds.
      code: '42601',
      formattedError: `ERROR:  42601: ${message}\n`,
      ...(cursorPosition === undefined ? {} : { position: cursorPosition + 1 }),
    })
  }
}
