import { tool } from 'ai'
import { z } from 'zod'
import type { Table } from '#contract/database/pg-meta-shapes'
import { redact } from './redact.ts'
import { tableText } from './schema-text.ts'

/** Names in one answer to the model. */
const longestList = 300

/** What the model may look up: the structure that was read for this question, of this project, and nothing else. */
export const schemaTools = (tables: readonly Table[]) => ({
  list_tables: tool({
    description: 'Names of the tables of the database whose name contains a text',
    inputSchema: z.object({ search: z.string().max(200).default('') }),
    execute: async ({ search }) =>
      redact(
        tables
          .map(({ schema, name }) => `${schema}.${name}`)
          .filter((name) => name.includes(search))
          .slice(0, longestList)
          .join('\n'),
      ) || 'There is no such table.',
  }),
  describe_table: tool({
    description: 'Columns, keys and references of one table of the database',
    inputSchema: z.object({
      schema: z.string().max(63).default('public'),
      name: z.string().max(63),
    }),
    execute: async ({ schema, name }) => {
      const found = tables.find((table) => table.schema === schema && table.name === name)
      return found ? redact(tableText(found)) : 'There is no such table.'
    },
  }),
})

/** A look-up in words for people. */
export const toolWords: Record<string, string> = {
  list_tables: 'Looking at the list of tables',
  describe_table: 'Looking at the columns of a table',
}
