import { useState } from 'react'

/** What had the focus lately, newest first. */
let trail: HTMLElement[] = []
const longest = 8

/** Remembers where the focus goes, for dialogs to give it back. */
export function watchFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    trail = [target, ...trail.filter((one) => one !== target)].slice(0, longest)
  })
}

/**
 * For `onCloseAutoFocus` of a dialog, which has no trigger of its own: the focus goes back to what had it when the dialog was
 * opened, or before that where this is gone, as is the item of a menu. Not when it is somewhere else by then.
 */
export function useFocusBack(): (event: Event) => void {
  const [before] = useState(trail)
  return (event) => {
    event.preventDefault()
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body) return
    before.find(isThere)?.focus({ preventScroll: true })
  }
}

const isThere = (one: HTMLElement) => one.getClientRects().length > 0 && !one.matches(':disabled')

/** Where work in a dialog begins: its first field, else its first button at the bottom, else the dialog itself. Never the Close button. */
export function focusFirst(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  const start =
    event.currentTarget.querySelector<HTMLElement>('input, textarea, [role="combobox"]') ??
    event.currentTarget.querySelector<HTMLElement>('footer button')
  event.preventDefault()
  ;(start ?? event.currentTarget).focus()
}
