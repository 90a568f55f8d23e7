import { useState } from 'react'

/** Which columns a list shows and in which order. */
export type Arrangement = { order: string[]; hidden: string[] }

/** What was kept, as far as there are such columns; new columns stand at the end. */
export function arranged(kept: unknown, first: Arrangement): Arrangement {
  if (typeof kept !== 'object' || kept === null || !('order' in kept) || !('hidden' in kept))
    return first
  const textsOf = (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => first.order.includes(String(one))).map(String) : []
  const order = textsOf(kept.order)
  return {
    order: [...order, ...first.order.filter((id) => !order.includes(id))],
    hidden: textsOf(kept.hidden),
  }
}

/** How this person has arranged a list, kept in this browser under `key`. */
export function useArrangement(
  key: string,
  first: Arrangement,
): [Arrangement, (next: Arrangement | undefined) => void] {
  const [value, setValue] = useState(() => arranged(read(key), first))
  return [
    value,
    (next) => {
      setValue(next ?? first)
      if (next) localStorage.setItem(key, JSON.stringify(next))
      else localStorage.removeItem(key)
    },
  ]
}

/** Anything may stand there; what cannot be read counts as nothing. */
function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

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
