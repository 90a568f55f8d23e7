import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, SquareTerminal, X } from 'lucide-react'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { OpenTab } from './open-tabs.ts'
import { useIsUnsaved, useOpenTabs, useWorkspace } from './use-workspace.ts'

type Props = {
  /** The query that is shown; undefined for a new one that nothing was typed into. */
  current: string | undefined
}

/** The open queries, as tabs above the editor. */
export function QueryTabs({ current }: Props) {
  const { ref, tabs } = useWorkspace()
  const open = useOpenTabs()
  const navigate = useNavigate()

  function close(id: string) {
    const next = tabs.close(id)
    if (id === current)
      void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: next ?? 'new' } })
  }
  return (
    <nav className="dtabs sql-tabs" aria-label="Open queries">
      {open.map((tab) => (
        <QueryTab
          key={tab.id}
          tab={tab}
          isCurrent={tab.id === current}
          onClose={() => close(tab.id)}
        />
      ))}
      {current === undefined && (
        <Link to="/project/$ref/sql/$id" params={{ ref, id: 'new' }} aria-current="page">
          <Icon of={SquareTerminal} size="s" />
          <i>New query</i>
        </Link>
      )}
      <IconButton
        className="sql-tabs-new"
        icon={Plus}
        label="New tab"
        onClick={() => void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: 'new' } })}
      />
    </nav>
  )
}

function QueryTab({
  tab: { id, name },
  isCurrent,
  onClose,
}: {
  tab: OpenTab
  isCurrent: boolean
  onClose: () => void
}) {
  const { ref } = useWorkspace()
  const unsaved = useIsUnsaved(id)
  return (
    <span className={cx('sql-tab', isCurrent && 'on')}>
      <Link
        to="/project/$ref/sql/$id"
        params={{ ref, id }}
        aria-current={isCurrent ? 'page' : undefined}
        title={name}
      >
        <Icon of={SquareTerminal} size="s" />
        <span className="ell">{name}</span>
        {unsaved && <span className="mod" title="Not saved yet" />}
      </Link>
      <IconButton icon={X} iconSize="s" label={`Close ${name}`} onClick={onClose} />
    </span>
  )
}
