import type { SqlProblem } from '#contract/database/sql/sql-tools'
import { monaco } from '../../../../ui/code/monaco.ts'

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
