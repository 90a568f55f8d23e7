import type { SqlFunction } from '#contract/database/sql/sql-tools'
import type { Relation } from './completion.ts'
import type { Catalog } from './monaco-completion.ts'
import { monaco, sqlLanguage } from '../../../../ui/code/monaco.ts'

/** Columns of a table that a hover lists; the rest is counted. */
const listed = 30

/** Says what a name is that the mouse rests on: a table with its columns, a column, or a function. */
export function provideHovers(
  catalog: () => Promise<Catalog>,
  functions: (name: string) => Promise<readonly SqlFunction[]>,
): monaco.IDisposable {
  return monaco.languages.registerHoverProvider(sqlLanguage, {
    async provideHover(model, position) {
      const word = model.getWordAtPosition(position)
      if (!word) return null
      const line = model.getLineContent(position.lineNumber)
      const isCall = /^"?\s*\(/.test(line.slice(word.endColumn - 1))
      const quoted = line.charAt(word.startColumn - 2) === '"'
      const name = quoted ? word.word : word.word.toLowerCase()
      const text = isCall
        ? (await functions(name)).slice(0, 5).map(functionText)
        : relationText(await catalog(), name)
      if (text.length === 0) return null
      return {
        range: {
          startLineNumber: position.lineNumber,
          endLineNumber: position.lineNumber,
          startColumn: word.startColumn,
          endColumn: word.endColumn,
        },
        contents: text.map((code) => ({ value: `\`\`\`\`${sqlLanguage}\n${code}\n\`\`\`\`` })),
      }
    },
  })
}

const functionText = ({ schema, name, arguments: taken, returns, description }: SqlFunction) =>
  `${schema}.${name}(${taken})\nreturns ${returns}${description ? `\n-- ${description.replaceAll('\n', ' ')}` : ''}`

function relationText(catalog: Catalog, name: string): string[] {
  const tables = catalog.filter((relation) => relation.name === name).slice(0, 3)
  if (tables.length > 0) return tables.map(tableText)
  const columns = catalog.flatMap(({ schema, name: table, columns: all }) =>
    all
      .filter((column) => column.name === name)
      .map(({ type }) => `${schema}.${table}.${name} ${type}`),
  )
  return columns.length > 0 ? [columns.slice(0, 8).join('\n')] : []
}

function tableText({ schema, name, columns }: Relation): string {
  const lines = columns.slice(0, listed).map((column) => `  ${column.name} ${column.type}`)
  const more = columns.length > listed ? [`  -- and ${columns.length - listed} more`] : []
  return [`${schema}.${name}`, ...lines, ...more].join('\n')
}
