import type { monaco } from './monaco.ts'

/** Loads the face that code is written in: it comes with its first use otherwise, and the text would change under the reader's eyes. */
export const loadCodeFace = () => document.fonts.load("13px 'JetBrains Mono Variable'")

/** How every code editor here looks and behaves. */
export const codeFace: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  fontFamily: "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
  fontSize: 13,
  lineHeight: 20,
  fontLigatures: false,
  minimap: { enabled: false },
  padding: { top: 8, bottom: 8 },
  // The number of an empty last line would be too faint to read.
  renderFinalNewline: 'on',
  scrollBeyondLastLine: false,
  renderLineHighlightOnlyWhenFocus: false,
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  guides: { indentation: false },
  occurrencesHighlight: 'off',
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
  wordBasedSuggestions: 'off',
  links: false,
  colorDecorators: false,
  contextmenu: false,
  fixedOverflowWidgets: true,
  quickSuggestions: { other: true, comments: false, strings: false },
  suggest: {
    showWords: false,
    preview: false,
    showStatusBar: false,
    snippetsPreventQuickSuggestions: false,
  },
  suggestLineHeight: 26,
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: false,
  smoothScrolling: false,
  stickyScroll: { enabled: false },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
}
