import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from '../cx.ts'

export type TabStyle = 'underlined' | 'pills' | 'rounded-pills'
const tabStyles: Record<TabStyle, string | undefined> = {
  underlined: undefined,
  pills: 'pil',
  'rounded-pills': 'pil rou',
}

export type Tab<Id extends string> = {
  id: Id
  label: ReactNode
  count?: number
  disabled?: boolean
}

type Props<Id extends string> = {
  label: string
  look?: TabStyle
  tabs: readonly Tab<Id>[]
  value: Id
  onChange: (id: Id) => void
}

/** Tabs within a page, as buttons. The arrows move between them. Pages of their own are a TabNav. */
export function Tabs<Id extends string>({
  label,
  look = 'underlined',
  tabs,
  value,
  onChange,
}: Props<Id>) {
  const open = tabs.filter((tab) => !tab.disabled)

  function move(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const at = open.findIndex((tab) => tab.id === value)
    const next = open[(at + step + open.length) % open.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs inside take the focus
    <div role="tablist" aria-label={label} className={cx('tabs', tabStyles[look])} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          data-tab={tab.id}
          aria-selected={tab.id === value}
          aria-disabled={tab.disabled || undefined}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => !tab.disabled && onChange(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <span className="c">{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}

type TabNavProps = {
  label: string
  look?: TabStyle
  /** Router links; the current one carries `aria-current`. */
  children: ReactNode
}

/** Tabs that are pages: links in a row. */
export function TabNav({ label, look = 'underlined', children }: TabNavProps) {
  return (
    <nav aria-label={label} className={cx('tabs', tabStyles[look])}>
      {children}
    </nav>
  )
}
