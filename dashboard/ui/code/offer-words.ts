import { monaco, sqlLanguage } from './monaco.ts'
import { functions, keywords } from './sql-words.ts'

/** A name that the reader may mean, as a column of the table that a text is about. */
export type CodeWord = {
  label: string
  /** How it is written, quoted where it must be. */
  insert: string
  /** What it is, in a word or two. */
  about: string
}

/** Another SQL than that of Postgres. */
export type CodeDialect = {
  /** What is offered in the place of the functions of Postgres. */
  functions: readonly string[]
  /** Names are paths with dots: what is chosen takes the place of all that was typed of it. */
  hasPaths: boolean
}

/** Offers names, functions and keywords while somebody types in this text, and in no other. */
export function offerWords(
  own: monaco.editor.ITextModel,
  words: () => Promise<readonly CodeWord[]>,
  dialectOf: () => CodeDialect | undefined = () => undefined,
): monaco.IDisposable {
  const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages
  return monaco.languages.registerCompletionItemProvider(sqlLanguage, {
    async provideCompletionItems(model, position) {
      if (model !== own) return { suggestions: [] }
      const { startColumn, endColumn } = model.getWordUntilPosition(position)
      const { lineNumber } = position
      const dialect = dialectOf()
      const before = model.getLineContent(lineNumber).slice(0, startColumn - 1)
      const path = dialect?.hasPaths ? (/[\w.]*\.$/.exec(before)?.[0] ?? '') : ''
      const range = {
        startLineNumber: lineNumber,
        endLineNumber: lineNumber,
        startColumn,
        endColumn,
      }
      // Where names cannot be read, typing goes on without them.
      const given = await words().catch(() => [])
      const names = given.map(({ label, insert, about }) => ({
        label: { label, description: about },
        kind: CompletionItemKind.Field,
        insertText: insert,
        filterText: label,
        sortText: `0${label}`,
        range: { ...range, startColumn: startColumn - path.length },
      }))
      const known = (path ? [] : (dialect?.functions ?? functions)).map((name) => ({
        label: `${name}()`,
        kind: CompletionItemKind.Function,
        insertText: `${name}($0)`,
        insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
        filterText: name,
        sortText: `1${name}`,
        range,
      }))
      const rest = (path ? [] : keywords).map((word) => ({
        label: word,
        kind: CompletionItemKind.Keyword,
        insertText: word,
        sortText: `2${word}`,
        range,
      }))
      return { suggestions: [...names, ...known, ...rest] }
    },
  })
}
