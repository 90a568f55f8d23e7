import type { ReactNode } from 'react'

export type Option<Value extends string = string> = {
  value: Value
  label: string
  /** Mono and faint, after the label; also searched. */
  detail?: string | undefined
  before?: ReactNode
  end?: ReactNode
  group?: string
  /** Why it cannot be chosen; undefined when it can. */
  disabledReason?: string | undefined
}

/** More than this many at once help nobody; the rest is found by typing. */
export const maxShown = 200

/** The options whose label, detail or value has every typed word, in their own order. */
export function matching<Value extends string>(
  options: readonly Option<Value>[],
  typed: string,
): Option<Value>[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return options.filter((option) => {
    const text = `${option.label} ${option.detail ?? ''} ${option.value}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The next option that can be chosen, `step` (1 or -1) from `at`, round the end; -1 when there is none. */
export function nextOption(options: readonly Option[], at: number, step: 1 | -1): number {
  for (let i = 1; i <= options.length; i += 1) {
    const next = (at + step * i + options.length * (i + 1)) % options.length
    if (!options[next]?.disabledReason) return next
  }
  return -1
}
