import { splitScript } from '#contract/database/sql/sql-script'
import type { SqlFunction, SqlProblem } from '#contract/database/sql/sql-tools'
import { monaco, sqlLanguage } from '../../../../ui/code/monaco.ts'
import { functions, keywords, reservedWords } from '../../../../ui/code/sql-words.ts'
import { nameInSql, suggestionsAt, type Relation, type Suggestion } from './completion.ts'

/** What the project's database holds, as far as completion cares. */
export type Catalog = readonly Relation[]

const { CompletionItemKind } = monaco.languages
const kinds: Record<Suggestion['kind'], monaco.languages.CompletionItemKind> = {
  column: CompletionItemKind.Field,
  table: CompletionItemKind.Struct,
  schema: CompletionItemKind.Module,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
}
/** Longest text that is looked at around the cursor: completion has to be quick. */
const reach = 20_000

const constant = (kind: 'keyword' | 'function', label: string): Suggestion => ({
  kind,
  label,
  insert: kind === 'function' ? `${label}($0)` : label,
  from: '',
  type: kind,
})
const constants = [
  ...keywords.map((word) => constant('keyword', word)),
  ...functions.map((name) => constant('function', name)),
]

/** Offers the project's columns, tables and schemas, functions and keywords while a person types. */
export function provideCompletions(
  catalog: () => Promise<Catalog>,
  ownFunctions: () => Promise<readonly SqlFunction[]>,
): monaco.IDisposable {
  return monaco.languages.registerCompletionItemProvider(sqlLanguage, {
    triggerCharacters: ['.'],
    async provideCompletionItems(model, position) {
      const text = model.getValue()
      const offset = model.getOffsetAt(position)
      const before = text.slice(Math.max(0, offset - reach), offset)
      const [relations, own] = await Promise.all([catalog(), ownFunctions()])
      const known = suggestionsAt(
        { statement: statementAt(text, offset), before },
        relations,
        reservedWords,
      )
      const behindDot = /\.\s*"?[\p{L}\p{N}_$]*$/u.test(before)
      const word = model.getWordUntilPosition(position)
      const range = {
        startLineNumber: position.lineNumber,
        endLineNumber: position.lineNumber,
        startColumn: word.startColumn,
        endColumn: word.endColumn,
      }
      const all = behindDot ? known : [...known, ...functionsOf(own), ...constants]
      return { suggestions: all.map((suggestion, at) => itemOf(suggestion, at, range)) }
    },
  })
}

/** The project's own functions, each name once, with its schema where it needs one. */
function functionsOf(own: readonly SqlFunction[]): Suggestion[] {
  const names = new Map<string, Suggestion>()
  for (const { schema, name, returns } of own) {
    const written = nameInSql(name, reservedWords)
    const insert = schema === 'public' ? written : `${nameInSql(schema, reservedWords)}.${written}`
    // A dollar sign begins a place to fill in.
    const snippet = `${insert.replaceAll('$', '\\$')}($0)`
    if (!names.has(insert))
      names.set(insert, {
        kind: 'function',
        label: name,
        insert: snippet,
        from: schema,
        type: returns,
      })
  }
  return [...names.values()]
}

function itemOf(
  { kind, label, insert, from, type }: Suggestion,
  at: number,
  range: monaco.IRange,
): monaco.languages.CompletionItem {
  return {
    label: {
      label: kind === 'function' ? `${label}()` : label,
      description: `${from} ${type}`.trim(),
    },
    kind: kinds[kind],
    insertText: insert,
    ...(kind === 'function'
      ? { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet }
      : {}),
    filterText: label,
    sortText: String(at).padStart(6, '0'),
    range,
  }
}

function statementAt(text: string, offset: number): string {
  if (text.length > reach) return text.slice(Math.max(0, offset - reach / 2), offset + reach / 2)
  const statement = splitScript(text).findLast(({ start }) => start <= offset)
  return statement ? text.slice(statement.start, Math.max(statement.end, offset)) : text
}

const owner = 'sql-problems'
/** Milliseconds of rest after which a text is looked at: whoever is typing knows that it is not finished. */
const restMs = 500

/** Underlines what the grammar refuses, a moment after the last key. */
export function followProblems(
  editor: monaco.editor.IStandaloneCodeEditor,
  problems: (sql: string, signal: AbortSignal) => Promise<readonly SqlProblem[]>,
): monaco.IDisposable {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked: AbortController | undefined

  async function look() {
    const model = editor.getModel()
    if (!model) return
    const version = model.getVersionId()
    asked = new AbortController()
    const found = await problems(model.getValue(), asked.signal)
    if (model.isDisposed() || model.getVersionId() !== version) return
    monaco.editor.setModelMarkers(
      model,
      owner,
      found.map((problem) => markerOf(model, problem)),
    )
  }
  function later() {
    clearTimeout(timer)
    asked?.abort()
    timer = setTimeout(() => void look(), restMs)
  }
  const listeners = [
    editor.onDidChangeModelContent(() => {
      const model = editor.getModel()
      if (model) monaco.editor.setModelMarkers(model, owner, [])
      later()
    }),
    editor.onDidChangeModel(later),
  ]
  return {
    dispose() {
      clearTimeout(timer)
      asked?.abort()
      for (const listener of listeners) listener.dispose()
    },
  }
}

function markerOf(
  model: monaco.editor.ITextModel,
  { start, end, message }: SqlProblem,
): monaco.editor.IMarkerData {
  const from = model.getPositionAt(start)
  const to = model.getPositionAt(end)
  return {
    severity: monaco.MarkerSeverity.Warning,
    message,
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  }
}
