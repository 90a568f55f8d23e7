import {
  getAutocompleteSuggestions,
  getDiagnostics,
  getHoverInformation,
  Position,
} from 'graphql-language-service'
import 'monaco-editor/esm/vs/basic-languages/graphql/graphql.contribution.js'
import type { GraphQLSchema } from 'graphql'
import { codeFace, loadCodeFace } from '../../../ui/code/code-face.ts'
import { followTheme } from '../../../ui/code/monaco-theme.ts'
import { monaco } from '../../../ui/code/monaco.ts'

/** The colours of JSON; the editor's own language service would be a megabyte for them. */
const jsonLanguage = 'plinth-json'

monaco.languages.register({ id: jsonLanguage })
monaco.languages.setLanguageConfiguration(jsonLanguage, {
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string'] },
  ],
})
monaco.languages.setMonarchTokensProvider(jsonLanguage, {
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'identifier'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
})

export type TextBoxOptions = {
  language: 'graphql' | 'json'
  label: string
  text: string
  readOnly?: boolean
  placeholder?: string
  onText?: (text: string) => void
  onRun?: () => void
  /** What can be asked, for completion, hints and marks; undefined while it is not known. */
  schema?: () => GraphQLSchema | undefined
}

/** A text of GraphQL or JSON in an element of the page. */
export function createTextBox(element: HTMLElement, options: TextBoxOptions) {
  const { label, readOnly = false, placeholder, onText, onRun, schema } = options
  const unfollow = followTheme()
  const language = options.language === 'json' ? jsonLanguage : 'graphql'
  const model = monaco.editor.createModel(options.text, language)
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  const editor = monaco.editor.create(element, {
    ...codeFace,
    model,
    readOnly,
    domReadOnly: readOnly,
    ariaLabel: readOnly ? label : `${label}. Press Ctrl+M to let Tab leave the editor.`,
    ...(placeholder ? { placeholder } : {}),
    lineNumbers: readOnly ? 'off' : 'on',
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 12,
    glyphMargin: false,
    folding: true,
    showFoldingControls: 'mouseover',
    renderLineHighlight: readOnly ? 'none' : 'all',
    wordWrap: readOnly ? 'on' : 'off',
  })
  // In what is only read, Tab goes on to the next control.
  if (readOnly) editor.createContextKey('editorTabMovesFocus', true)
  const parts = [
    editor.onDidChangeModelContent(() => onText?.(model.getValue())),
    ...(schema ? [helpWriting(model, schema)] : []),
  ]
  const { KeyMod, KeyCode } = monaco
  if (onRun)
    editor.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => {
      editor.trigger('run', 'hideSuggestWidget', {})
      onRun()
    })
  void loadCodeFace().then(() => monaco.editor.remeasureFonts())

  return {
    /** Replaces the whole text as the person would, so that it can be undone. */
    write(text: string) {
      if (model.getValue() === text) return
      if (readOnly) return model.setValue(text)
      editor.pushUndoStop()
      editor.executeEdits('write', [{ range: model.getFullModelRange(), text }])
      editor.pushUndoStop()
    },
    /** How many characters stand before the cursor. */
    offset: () => model.getOffsetAt(editor.getPosition() ?? { lineNumber: 1, column: 1 }),
    focus: () => editor.focus(),
    dispose() {
      unfollow()
      for (const part of parts) part.dispose()
      editor.dispose()
      model.dispose()
    },
  }
}
export type TextBox = ReturnType<typeof createTextBox>

const owner = 'graphql'
/** Milliseconds without a key after which the text is checked. */
const pause = 300

const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages
const placeOf = ({ lineNumber, column }: monaco.IPosition) =>
  new Position(lineNumber - 1, column - 1)

/** Completion, hints and marks of one text, by the schema that is known when they are asked for. */
function helpWriting(
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
