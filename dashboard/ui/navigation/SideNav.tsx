import type { ReactNode } from 'react'
import { Select } from '../controls/Select.tsx'
import './side-nav.css'

export type SideNavGroup<Entry> = { title?: string; entries: readonly Entry[] }

type Props<Entry extends { name: string; to: string }> = {
  /** What the pages belong to, such as "Organization settings". */
  title: string
  groups: readonly SideNavGroup<Entry>[]
  /** The address of the page that is open. */
  current: string
  link: (entry: Entry) => ReactNode
  onChoose: (to: string) => void
  /** Above the links, as the search box of a long list. */
  top?: ReactNode
  children: ReactNode
}

/** The second column of an area with several pages: 240 px of grouped links, a select on a narrow screen; the page is beside it. */
export function SideNav<Entry extends { name: string; to: string }>(props: Props<Entry>) {
  const { title, groups, current, link, onChoose, top, children } = props
  return (
    <div className="with-side-nav">
      <aside className="side side-nav" aria-label={title}>
        <h2 className="side-head">{title}</h2>
        {top}
        <nav className="nav scroll" aria-label={title}>
          {groups.map((group) => (
            <div key={group.title ?? ''}>
              {group.title && <h3>{group.title}</h3>}
              {group.entries.map(link)}
            </div>
          ))}
        </nav>
      </aside>
      <div className="side-nav-select">
        <Select
          label={title}
          options={groups.flatMap(({ entries }) =>
            entries.map(({ to, name }) => ({ value: to, label: name })),
          )}
          value={current}
          onChange={onChoose}
        />
      </div>
      {children}
    </div>
  )
}
