import { monaco } from './monaco.ts'

/** Paints a token of theme.css and reads it back as #rrggbbaa: the editor knows no other notation. */
function reader(): { read: (token: string) => string; done: () => void } {
  const probe = document.createElement('span')
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  document.body.append(probe)
  return {
    read(token) {
      probe.style.color = `var(${token})`
      if (!context) return ''
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = getComputedStyle(probe).color
      context.fillRect(0, 0, 1, 1)
      const channels = [...context.getImageData(0, 0, 1, 1).data]
      return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
    },
    done: () => probe.remove(),
  }
}

const colours = {
  'editor.background': '--surface-1',
  'editor.foreground': '--text',
  'editorLineNumber.foreground': '--text-faint',
  'editorLineNumber.activeForeground': '--text',
  'editor.lineHighlightBackground': '--surface-2',
  'editor.lineHighlightBorder': '--surface-2',
  'editorCursor.foreground': '--accent-text',
  'editor.selectionBackground': '--accent-soft',
  'editor.inactiveSelectionBackground': '--surface-3',
  'editor.selectionHighlightBackground': '--surface-3',
  'editor.wordHighlightBackground': '--surface-3',
  'editor.wordHighlightTextBackground': '--surface-3',
  'editor.findMatchBackground': '--warning-line',
  'editor.findMatchHighlightBackground': '--warning-soft',
  'editorBracketMatch.background': '--surface-3',
  'editorBracketMatch.border': '--line-strong',
  'editorBracketHighlight.foreground1': '--text',
  'editorBracketHighlight.foreground2': '--text',
  'editorBracketHighlight.foreground3': '--text',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-strong',
  'editorWhitespace.foreground': '--line-strong',
  'editorError.foreground': '--danger-mark',
  'editorWarning.foreground': '--warning-mark',
  'editorGutter.background': '--surface-1',
  'editorGutter.foldingControlForeground': '--text-faint',
  'editorOverviewRuler.border': '--surface-1',
  'editor.placeholder.foreground': '--text-faint',
  'diffEditor.insertedTextBackground': '--success-soft',
  'diffEditor.insertedLineBackground': '--success-soft',
  'diffEditorGutter.insertedLineBackground': '--success-soft',
  'diffEditor.removedTextBackground': '--danger-soft',
  'diffEditor.removedLineBackground': '--danger-soft',
  'diffEditorGutter.removedLineBackground': '--danger-soft',
  'diffEditor.diagonalFill': '--line',
  'diffEditor.border': '--line',
  'diffEditor.unchangedRegionBackground': '--surface-2',
  'diffEditor.unchangedRegionForeground': '--text-muted',
  'diffEditor.unchangedCodeBackground': '--surface-1',
  'editorWidget.background': '--float',
  'editorWidget.border': '--line-strong',
  'editorWidget.foreground': '--text',
  'editorWidget.resizeBorder': '--accent-line',
  'editorHoverWidget.background': '--float',
  'editorHoverWidget.border': '--line-strong',
  'editorHoverWidget.foreground': '--text',
  'editorHoverWidget.statusBarBackground': '--float',
  'editorSuggestWidget.background': '--float',
  'editorSuggestWidget.border': '--line-strong',
  'editorSuggestWidget.foreground': '--text',
  'editorSuggestWidget.highlightForeground': '--text',
  'editorSuggestWidget.focusHighlightForeground': '--text',
  'editorSuggestWidget.selectedBackground': '--accent-soft',
  'editorSuggestWidget.selectedForeground': '--text',
  'editorSuggestWidget.selectedIconForeground': '--text-muted',
  'editorSuggestWidgetStatus.foreground': '--text-muted',
  'list.hoverBackground': '--surface-3',
  'list.focusBackground': '--accent-soft',
  'input.background': '--field',
  'input.foreground': '--text',
  'input.border': '--line-strong',
  'input.placeholderForeground': '--text-faint',
  'inputOption.activeBackground': '--accent-soft',
  'inputOption.activeBorder': '--accent-line',
  'inputOption.activeForeground': '--text',
  'inputValidation.errorBackground': '--danger-soft',
  'inputValidation.errorBorder': '--danger-line',
  'icon.foreground': '--text-muted',
  focusBorder: '--focus',
  'toolbar.hoverBackground': '--surface-3',
  'scrollbarSlider.background': '--surface-3',
  'scrollbarSlider.hoverBackground': '--line-strong',
  'scrollbarSlider.activeBackground': '--line-control',
  'scrollbar.shadow': '--line',
  'symbolIcon.fieldForeground': '--text-faint',
  'symbolIcon.structForeground': '--text-faint',
  'symbolIcon.functionForeground': '--text-faint',
  'symbolIcon.keywordForeground': '--text-faint',
  'symbolIcon.moduleForeground': '--text-faint',
  'symbolIcon.variableForeground': '--text-faint',
}

const tokens: [token: string, colour: string, fontStyle?: string][] = [
  ['', '--text'],
  ['keyword', '--code-keyword'],
  ['delimiter', '--text'],
  ['string', '--code-string'],
  ['number', '--code-number'],
  ['predefined', '--code-function'],
  ['type', '--code-function'],
  ['regexp', '--code-string'],
  ['comment', '--code-comment', 'italic'],
  ['identifier', '--text'],
]

const name = 'plinth'

/** Gives the editor the colours that the page has now. */
export function applyTheme(): void {
  const { read, done } = reader()
  const light = document.documentElement.dataset['theme'] === 'light'
  monaco.editor.defineTheme(name, {
    base: light ? 'vs' : 'vs-dark',
    // The built-in themes have unlike numbers of colours. Text on the page keeps the number of its colour until it is read
    // again, so with their rules it would have the colour of something else for a moment after the theme has changed.
    inherit: false,
    colors: Object.fromEntries(Object.entries(colours).map(([key, token]) => [key, read(token)])),
    rules: tokens.map(([token, colour, fontStyle]) => ({
      token,
      foreground: read(colour).slice(1, 7),
      ...(fontStyle ? { fontStyle } : {}),
    })),
  })
  done()
  monaco.editor.setTheme(name)
}

/** Keeps the editor in the page's colours until the returned function is called. */
export function followTheme(): () => void {
  applyTheme()
  const observer = new MutationObserver(applyTheme)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const contrast = matchMedia('(prefers-contrast: more)')
  contrast.addEventListener('change', applyTheme)
  return () => {
    observer.disconnect()
    contrast.removeEventListener('change', applyTheme)
  }
}
