/** Who stands above and below somebody on the page of the list. */
export function neighboursOf(page: readonly string[], id: string) {
  const at = page.indexOf(id)
  return at < 0 ? {} : { previous: page[at - 1], next: page[at + 1] }
}

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/**
 * Where a key leads while users are looked through: in the list the arrows alone, everywhere else with Alt, as plain ones
 * scroll or move in a text there. `close` is Escape.
 */
export function stepOf(press: Press, isInList: boolean): 'previous' | 'next' | 'close' | undefined {
  if (press.ctrlKey || press.metaKey || press.shiftKey) return undefined
  if (press.key === 'Escape') return press.altKey ? undefined : 'close'
  if (!isInList && !press.altKey) return undefined
  return press.key === 'ArrowUp' ? 'previous' : press.key === 'ArrowDown' ? 'next' : undefined
}
