import { splitScript } from '#contract/database/sql/sql-script'
import type { SqlFunction, SqlProblem } from '#contract/database/sql/sql-tools'
import { codeFace, loadCodeFace } from '../../../../ui/code/code-face.ts'
import { followTheme } from '../../../../ui/code/monaco-theme.ts'
import { monaco, sqlLanguage } from '../../../../ui/code/monaco.ts'
import { isMac } from '../../../../ui/text/Keys.tsx'
import type { Place } from './error-place.ts'
import { provideCompletions, type Catalog, followProblems } from './monaco-providers.ts'
import { argumentsOf, callAt, type Relation } from './completion.ts'

const reach = 10_000

/** Shows what the function takes whose arguments are being written. */
function provideSignatures(
  functions: (name: string) => Promise<readonly SqlFunction[]>,
): monaco.IDisposable {
  return monaco.languages.registerSignatureHelpProvider(sqlLanguage, {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [')'],
    async provideSignatureHelp(model, position) {
      const offset = model.getOffsetAt(position)
      const call = callAt(model.getValue().slice(Math.max(0, offset - reach), offset))
      const found = call ? await functions(call.name) : []
      if (!call || found.length === 0) return null
      const signatures = found.slice(0, 20).map(signatureOf)
      // The first that has so many arguments is the likeliest one.
      const fits = signatures.findIndex(({ parameters }) => parameters.length > call.argument)
      const value = {
        signatures,
        activeSignature: Math.max(0, fits),
        activeParameter: call.argument,
      }
      return { value, dispose: () => undefined }
    },
  })
}

function signatureOf(one: SqlFunction): monaco.languages.SignatureInformation {
  const parts = argumentsOf(one.arguments)
  return {
    label: `${one.name}(${parts.join(', ')}) → ${one.returns}`,
    parameters: parts.map((label) => ({ label })),
    ...(one.description ? { documentation: one.description } : {}),
  }
}

/** A text as the editor shows it. `version` goes up when the text came from elsewhere than the editor. */
export type Shown = {
  id: string
  sql: string
  version: number
  readOnly: boolean
  /** Long lines go on below. */
  wrap: boolean
}

/** What Run is about: the selection when there is one, else everything. `offset` is where it begins in `text`. */
export type Picked = { sql: string; offset: number; text: string }

export type SqlBoxEvents = {
  onEdit: (id: string, sql: string) => void
  onRun: () => void
  onSave: () => void
  onRunAtCursor: () => void
  /** Wants the assistant to write or change the text. */
  onAsk: () => void
  catalog: () => Promise<Catalog>
  /** The functions of a name, or the project's own without one. */
  functions: (name?: string) => Promise<readonly SqlFunction[]>
  /** What the grammar refuses in a text. */
  problems: (sql: string, signal: AbortSignal) => Promise<readonly SqlProblem[]>
}

type Kept = {
  model: monaco.editor.ITextModel
  version: number
  view: monaco.editor.ICodeEditorViewState | null
}

const owner = 'sql-error'

/** The code editor in an element of the page. Every query it has shown keeps its own undo history and place. */
export function createSqlBox(element: HTMLElement, events: SqlBoxEvents) {
  const unfollow = followTheme()
  const editor = monaco.editor.create(element, {
    model: null,
    ...codeFace,
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 12,
    renderLineHighlight: 'all',
    folding: true,
    showFoldingControls: 'mouseover',
    placeholder: `Write SQL here, then run it with ${isMac() ? 'Cmd' : 'Ctrl'}+Enter`,
    ariaLabel: 'SQL. Press Ctrl+M to let Tab leave the editor.',
  })
  const kept = new Map<string, Kept>()
  let shown: string | undefined
  let taking = false

  const parts = [
    provideCompletions(
      () => events.catalog(),
      () => events.functions(),
    ),
    provideHovers(
      () => events.catalog(),
      (name) => events.functions(name),
    ),
    provideSignatures((name) => events.functions(name)),
    followProblems(editor, (sql, signal) => events.problems(sql, signal)),
  ]
  const { KeyMod, KeyCode } = monaco
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => {
    // Whoever runs a text has written it: suggestions would only lie over it.
    editor.trigger('run', 'hideSuggestWidget', {})
    events.onRun()
  })
  editor.addCommand(KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter, () => {
    editor.trigger('run', 'hideSuggestWidget', {})
    events.onRunAtCursor()
  })
  // In the text this is about the text; elsewhere the same keys open the list of commands.
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.KeyK, () => events.onAsk())
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.KeyS, () => events.onSave())
  editor.onDidChangeModelContent(() => {
    const model = editor.getModel()
    if (!model) return
    // A mark points at what was there before.
    monaco.editor.setModelMarkers(model, owner, [])
    if (!taking && shown !== undefined) events.onEdit(shown, model.getValue())
  })
  // The widths of the fallback font are not those of the real one, which comes with the first use.
  void loadCodeFace().then(() => monaco.editor.remeasureFonts())

  function keep({ id, sql, version }: Shown): Kept {
    const known = kept.get(id)
    if (known) return known
    const model = monaco.editor.createModel(sql, sqlLanguage)
    model.setEOL(monaco.editor.EndOfLineSequence.LF)
    const made = { model, version, view: null }
    kept.set(id, made)
    return made
  }

  return {
    show(next: Shown) {
      const { id, sql, version, readOnly, wrap } = next
      const entry = keep(next)
      if (entry.version !== version) {
        entry.version = version
        taking = true
        // As an edit, so that undo brings the former text back.
        entry.model.pushEditOperations(
          [],
          [{ range: entry.model.getFullModelRange(), text: sql }],
          () => null,
        )
        taking = false
      }
      const wordWrap = wrap ? 'on' : 'off'
      editor.updateOptions({ readOnly, domReadOnly: readOnly, wordWrap })
      if (shown === id) return
      const before = shown === undefined ? undefined : kept.get(shown)
      if (before) before.view = editor.saveViewState()
      shown = id
      editor.setModel(entry.model)
      if (entry.view) editor.restoreViewState(entry.view)
    },
    picked(): Picked {
      const model = editor.getModel()
      const selection = editor.getSelection()
      if (!model) return { sql: '', offset: 0, text: '' }
      const text = model.getValue()
      if (!selection || selection.isEmpty()) return { sql: text, offset: 0, text }
      const sql = model.getValueInRange(selection)
      // A selection of nothing but space is no choice.
      if (!sql.trim()) return { sql: text, offset: 0, text }
      return { sql, offset: model.getOffsetAt(selection.getStartPosition()), text }
    },
    /** The statement that the cursor is in or behind; the first one before all of them. */
    atCursor(): Picked {
      const model = editor.getModel()
      const position = editor.getPosition()
      if (!model || !position) return { sql: '', offset: 0, text: '' }
      const text = model.getValue()
      const at = model.getOffsetAt(position)
      const items = splitScript(text)
      const found = items.findLast(({ start }) => start <= at) ?? items[0]
      if (!found) return { sql: '', offset: 0, text }
      // Data belong to their statement, with the line that ends them.
      const end = found.data ? Math.min(text.length, found.data.end + 2) : found.end
      return { sql: text.slice(found.start, end), offset: found.start, text }
    },
    /** Replaces the whole text as the person would, so that it can be undone. */
    write(sql: string) {
      const model = editor.getModel()
      if (!model) return
      editor.pushUndoStop()
      editor.executeEdits('format', [{ range: model.getFullModelRange(), text: sql }])
      editor.pushUndoStop()
    },
    /** Underlines where Postgres says the error is; undefined takes the mark away. */
    mark(found: { place: Place; message: string } | undefined) {
      const model = editor.getModel()
      if (!model) return
      if (!found) return monaco.editor.setModelMarkers(model, owner, [])
      const { line, column, endColumn } = found.place
      monaco.editor.setModelMarkers(model, owner, [
        {
          severity: monaco.MarkerSeverity.Error,
          message: found.message,
          startLineNumber: line,
          endLineNumber: line,
          startColumn: column,
          endColumn,
        },
      ])
      editor.revealLineInCenterIfOutsideViewport(line)
    },
    goTo({ line, column }: Place) {
      editor.setPosition({ lineNumber: line, column })
      editor.revealLineInCenterIfOutsideViewport(line)
      editor.focus()
    },
    focus: () => editor.focus(),
    forget(id: string) {
      kept.get(id)?.model.dispose()
      kept.delete(id)
      if (shown === id) shown = undefined
    },
    dispose() {
      unfollow()
      for (const part of parts) part.dispose()
      editor.dispose()
      for (const { model } of kept.values()) model.dispose()
    },
  }
}
export type SqlBox = ReturnType<typeof createSqlBox>

/** Columns of a table that a hover lists; the rest is counted. */
const listed = 30

/** Says what a name is that the mouse rests on: a table with its columns, a column, or a function. */
function provideHovers(
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
