// The editor's core and what a SQL text needs of it: a third of the whole. Everything here is one lazy chunk.
import 'monaco-editor/esm/vs/editor/browser/coreCommands.js'
import 'monaco-editor/esm/vs/editor/browser/widget/codeEditor/codeEditorWidget.js'
import 'monaco-editor/esm/vs/editor/contrib/bracketMatching/browser/bracketMatching.js'
import 'monaco-editor/esm/vs/editor/contrib/caretOperations/browser/caretOperations.js'
import 'monaco-editor/esm/vs/editor/contrib/clipboard/browser/clipboard.js'
import 'monaco-editor/esm/vs/editor/contrib/comment/browser/comment.js'
import 'monaco-editor/esm/vs/editor/contrib/cursorUndo/browser/cursorUndo.js'
import 'monaco-editor/esm/vs/editor/contrib/find/browser/findController.js'
import 'monaco-editor/esm/vs/editor/contrib/folding/browser/folding.js'
import 'monaco-editor/esm/vs/editor/contrib/hover/browser/hoverContribution.js'
import 'monaco-editor/esm/vs/editor/contrib/indentation/browser/indentation.js'
import 'monaco-editor/esm/vs/editor/contrib/lineSelection/browser/lineSelection.js'
import 'monaco-editor/esm/vs/editor/contrib/linesOperations/browser/linesOperations.js'
import 'monaco-editor/esm/vs/editor/contrib/multicursor/browser/multicursor.js'
import 'monaco-editor/esm/vs/editor/contrib/parameterHints/browser/parameterHints.js'
import 'monaco-editor/esm/vs/editor/contrib/placeholderText/browser/placeholderText.contribution.js'
import 'monaco-editor/esm/vs/editor/contrib/readOnlyMessage/browser/contribution.js'
import 'monaco-editor/esm/vs/editor/contrib/smartSelect/browser/smartSelect.js'
import 'monaco-editor/esm/vs/editor/contrib/snippet/browser/snippetController2.js'
import 'monaco-editor/esm/vs/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/esm/vs/editor/contrib/toggleTabFocusMode/browser/toggleTabFocusMode.js'
import 'monaco-editor/esm/vs/editor/contrib/wordHighlighter/browser/wordHighlighter.js'
import 'monaco-editor/esm/vs/editor/contrib/wordOperations/browser/wordOperations.js'
import 'monaco-editor/esm/vs/editor/contrib/wordPartOperations/browser/wordPartOperations.js'
import 'monaco-editor/esm/vs/base/browser/ui/codicons/codiconStyles.js'
import * as monaco from 'monaco-editor/esm/vs/editor/editor.api.js'
// oxlint-disable-next-line import/default -- the bundler makes this one
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker'
import './monaco.css'
import { sqlConfiguration, sqlGrammar, htmlGrammar } from './grammars.ts'

/** Who works for a language that asks for more than the editor's own worker, by the name of the language. */
export const languageWorkers = new Map<string, () => Worker>()
/** The editor starts its workers from our own files, when it has work for them. */
window.MonacoEnvironment = {
  getWorker: (_, label) => languageWorkers.get(label)?.() ?? new EditorWorker(),
}

export const sqlLanguage = 'pgsql'
monaco.languages.register({ id: sqlLanguage })
monaco.languages.setLanguageConfiguration(sqlLanguage, sqlConfiguration)
monaco.languages.setMonarchTokensProvider(sqlLanguage, sqlGrammar)

export const htmlLanguage = 'mail-html'
monaco.languages.register({ id: htmlLanguage })
monaco.languages.setMonarchTokensProvider(htmlLanguage, htmlGrammar)

export { monaco }
