import { X } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '../controls/IconButton.tsx'
import { SidePanel } from './SidePanel.tsx'
import type { SidePanelProps } from './SidePanelBox.tsx'
import { useNarrow } from '../use-narrow.ts'

type Props = Omit<SidePanelProps, 'shell'> & { open: boolean }

/**
 * What is known of one row, beside the list it belongs to, which stays in use; over it where there is no room for both.
 * Whoever shows it closes it by Escape: the key may be pressed in the list as well.
 */
export function InlinePanel({ open, ...panel }: Props) {
  const isNarrow = useNarrow('(max-width: 1023px)')
  if (isNarrow) return <SidePanel open={open} {...panel} />
  return open ? <Beside {...panel} /> : null
}

function Beside({ onClose, title, actions, footer, children }: Omit<Props, 'open'>) {
  const id = useId()
  return (
    <aside className="panel beside" aria-labelledby={id}>
      <header>
        <h2 id={id} className="grow ell">
          {title}
        </h2>
        {actions}
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <div className="panel-body scroll" tabIndex={0}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </aside>
  )
}
