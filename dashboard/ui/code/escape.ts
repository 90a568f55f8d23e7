const floating = '.suggest-widget.visible, .parameter-hints-widget.visible, .find-widget.visible'

/**
 * Escape puts away what floats over the code editor first; the panel around it stays. For the `onEscapeKeyDown` of whatever
 * closes by that key: it hears of the key before the editor does.
 */
export function leaveEscapeToEditor(event: KeyboardEvent): void {
  const editor = event.target instanceof Element && event.target.closest('.monaco-editor')
  if (editor && editor.querySelector(floating)) event.preventDefault()
}
