/** Where work in a dialog begins: its first field, else its first button at the bottom, else the dialog itself. Never the Close button. */
export function focusFirst(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  const start =
    event.currentTarget.querySelector<HTMLElement>('input, textarea, [role="combobox"]') ??
    event.currentTarget.querySelector<HTMLElement>('footer button')
  event.preventDefault()
  ;(start ?? event.currentTarget).focus()
}
