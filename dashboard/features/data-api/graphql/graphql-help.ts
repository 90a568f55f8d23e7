import type { GraphQLSchema } from 'graphql'
import {
  getAutocompleteSuggestions,
  getDiagnostics,
  getHoverInformation,
  Position,
} from 'graphql-language-service'
import { monaco } from '../../../ui/code/monaco.ts'

const owner = 'graphql'
/** Milliseconds without a key after which the text is checked. */
const pause = 300

const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages
const placeOf = ({ lineNumber, column }: monaco.IPosition) =>
  new Position(lineNumber - 1, column - 1)

/** Completion, hints and marks of one text, by the schema that is known when they are asked for. */
export function helpWriting(
  model: monaco.editor.ITextModel,
  schema: () => GraphQLSchema | undefined,
): monaco.IDisposable {
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    const known = schema()
    if (!known || model.isDisposed()) return
    const found = model.getValue().trim() === '' ? [] : getDiagnostics(model.getValue(), known)
    monaco.editor.setModelMarkers(
      model,
      owner,
      found.map(({ message, range: { start, end } }) => ({
        severity: monaco.MarkerSeverity.Error,
        message: typeof message === 'string' ? message : message.value,
        startLineNumber: start.line + 1,
        startColumn: start.character + 1,
        endLineNumber: end.line + 1,
        endColumn: end.character + 1,
      })),
    )
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(check, pause)
  }
  soon()
  const parts = [
    model.onDidChangeContent(soon),
    monaco.languages.registerCompletionItemProvider('graphql', {
      triggerCharacters: [' ', ':', '$', '(', '@', '\n'],
      provideCompletionItems: (asked, position) => ({
        suggestions: asked === model ? suggestionsAt(model, position, schema()) : [],
      }),
    }),
    monaco.languages.registerHoverProvider('graphql', {
      provideHover(asked, position) {
        const known = schema()
        if (asked !== model || !known) return undefined
        const options = { useMarkdown: true }
        const said = getHoverInformation(
          known,
          model.getValue(),
          placeOf(position),
          undefined,
          options,
        )
        const texts = (Array.isArray(said) ? said : [said]).map(String)
        return { contents: texts.filter((text) => text !== '').map((value) => ({ value })) }
      },
    }),
  ]
  return {
    dispose() {
      clearTimeout(timer)
      for (const part of parts) part.dispose()
    },
  }
}

function suggestionsAt(
  model: monaco.editor.ITextModel,
  position: monaco.Position,
  schema: GraphQLSchema | undefined,
): monaco.languages.CompletionItem[] {
  if (!schema) return []
  const word = model.getWordUntilPosition(position)
  const range = {
    startLineNumber: position.lineNumber,
    endLineNumber: position.lineNumber,
    startColumn: word.startColumn,
    endColumn: word.endColumn,
  }
  return getAutocompleteSuggestions(schema, model.getValue(), placeOf(position)).map(
    ({ label, detail, documentation, insertText, insertTextFormat }, at) => ({
      label: { label, description: detail ?? '' },
      kind: CompletionItemKind.Field,
      insertText: insertText ?? label,
      // 2 is a snippet in the language service's protocol.
      ...(insertTextFormat === 2
        ? { insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet }
        : {}),
      ...(documentation ? { documentation: String(documentation) } : {}),
      sortText: String(at).padStart(6, '0'),
      range,
    }),
  )
}
