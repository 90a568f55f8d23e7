import { codeFace, loadCodeFace } from './code-face.ts'
import { followTheme } from './monaco-theme.ts'
import { monaco, sqlLanguage } from './monaco.ts'
import { shownTypescript } from './shown-typescript.ts'

export type DiffOptions = {
  before: string
  after: string
  label: string
  /** Programs unless told. */
  language?: 'typescript' | 'sql'
}

/** Two texts beside each other, or in one column where there is no room; only what differs and a few lines around it. */
export function createDiffBox(
  element: HTMLElement,
  { before, after, label, language }: DiffOptions,
) {
  const unfollow = followTheme()
  const [original, modified] = [before, after].map((text) =>
    monaco.editor.createModel(text, language === 'sql' ? sqlLanguage : shownTypescript),
  )
  const editor = monaco.editor.createDiffEditor(element, {
    ...codeFace,
    readOnly: true,
    domReadOnly: true,
    renderOverviewRuler: false,
    renderGutterMenu: false,
    hideUnchangedRegions: { enabled: true },
    useInlineViewWhenSpaceIsLimited: true,
    renderSideBySideInlineBreakpoint: 720,
  })
  if (original && modified) editor.setModel({ original, modified })
  editor.getOriginalEditor().updateOptions({ ariaLabel: `${label}, before` })
  editor.getModifiedEditor().updateOptions({ ariaLabel: `${label}, after` })
  void loadCodeFace().then(() => monaco.editor.remeasureFonts())
  return {
    dispose() {
      unfollow()
      editor.dispose()
      original?.dispose()
      modified?.dispose()
    },
  }
}
