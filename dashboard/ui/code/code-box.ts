import { codeFace, loadCodeFace } from './code-face.ts'
import { followTheme } from './monaco-theme.ts'
import { htmlLanguage, monaco, sqlLanguage } from './monaco.ts'
import { offerWords, type CodeDialect, type CodeWord } from './offer-words.ts'
import { shownTypescript } from './shown-typescript.ts'

/** `typescript` is only shown and written; what it means is known of a file of a program (typescript-program.ts). */
export type CodeLanguage = 'sql' | 'html' | 'typescript'

const languages = { sql: sqlLanguage, html: htmlLanguage, typescript: shownTypescript } as const

export type CodeBoxOptions = {
  text: string
  language: CodeLanguage
  /** Where the text stands among the files of a program. */
  file?: monaco.Uri | undefined
  label: string
  placeholder: string
  readOnly: boolean
  /** Lines that there is always room for, and the most before it scrolls; `fill`: the element has its height. */
  lines: readonly [least: number, max: number] | 'fill'
  /** A long text: lines have numbers, and Tab indents. In a short one Tab goes on to the next field. */
  isProgram: boolean
  onText: (text: string) => void
  words: () => Promise<readonly CodeWord[]>
  /** Postgres unless it says something else. */
  dialect: () => CodeDialect | undefined
}

/** What the field around it says of the control, by attribute. */
export type ControlAttributes = Readonly<Record<string, string | undefined>>

const lineHeight = 20
const padding = 8

/** The code editor as a field of a form: as high as its text, and named, described and left with the keyboard as others. */
export function createCodeBox(element: HTMLElement, options: CodeBoxOptions) {
  const { label, placeholder, isProgram, lines } = options
  const unfollow = followTheme()
  const model = monaco.editor.createModel(
    options.text,
    options.file ? 'typescript' : languages[options.language],
    options.file,
  )
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  const editor = monaco.editor.create(element, {
    ...codeFace,
    model,
    readOnly: options.readOnly,
    domReadOnly: options.readOnly,
    ariaLabel: label,
    placeholder,
    lineNumbers: isProgram ? 'on' : 'off',
    lineNumbersMinChars: 3,
    lineDecorationsWidth: isProgram ? 12 : 10,
    glyphMargin: false,
    folding: false,
    renderLineHighlight: isProgram ? 'all' : 'none',
    // Prose is in no lines of its own.
    wordWrap: isProgram && options.language !== 'html' ? 'off' : 'on',
    scrollbar: { ...codeFace.scrollbar, alwaysConsumeMouseWheel: false },
  })
  // The editor's own setting is one for all editors of the page; this is what its Tab key asks.
  if (!isProgram) editor.createContextKey('editorTabMovesFocus', true)
  const fit = () => {
    if (lines === 'fill') return
    const [least, max] = lines.map((count) => count * lineHeight + 2 * padding)
    const fitted = Math.min(Math.max(editor.getContentHeight(), least ?? 0), max ?? 0)
    element.style.height = `${fitted}px`
  }
  fit()
  let wasVisited = false
  const parts = [
    editor.onDidFocusEditorText(() => {
      wasVisited = true
    }),
    editor.onDidContentSizeChange(fit),
    editor.onDidChangeModelContent(() => options.onText(model.getValue())),
    offerWords(
      model,
      () => options.words(),
      () => options.dialect(),
    ),
  ]
  const { KeyMod, KeyCode } = monaco
  // Enter is a new line; with the modifier it does what it does in every other field.
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => {
    editor.trigger('send', 'hideSuggestWidget', {})
    element.closest('form')?.requestSubmit()
  })
  void loadCodeFace().then(() => monaco.editor.remeasureFonts())

  return {
    /** Puts another text there, unless it came from here. */
    write(text: string) {
      if (model.getValue() !== text)
        editor.executeEdits('form', [{ range: model.getFullModelRange(), text }])
    },
    /** Label and notes of the field belong to the element that has the focus. */
    describe(attributes: ControlAttributes) {
      const input = element.querySelector('textarea')
      for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined) input?.removeAttribute(name)
        else input?.setAttribute(name, value)
      }
    },
    /** Puts a text where the cursor is, in place of what is selected; before `end` when nobody has put it anywhere yet. */
    insert(text: string, end: string) {
      const last = model.getValue().lastIndexOf(end)
      const place = model.getPositionAt(last < 0 ? model.getValueLength() : last)
      const selected = wasVisited ? editor.getSelection() : undefined
      const range = selected ?? monaco.Range.fromPositions(place)
      editor.executeEdits('form', [{ range, text, forceMoveMarkers: true }])
      editor.focus()
    },
    focus: () => editor.focus(),
    dispose() {
      unfollow()
      for (const part of parts) part.dispose()
      editor.dispose()
      model.dispose()
    },
  }
}
export type CodeBox = ReturnType<typeof createCodeBox>
