import { X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { leaveEscapeToEditor } from '../code/escape.ts'
import { useFocusBack, focusFirst } from './focus.ts'
import { IconButton } from '../controls/IconButton.tsx'

export type SidePanelSize = 'medium' | 'large' | 'xlarge' | 'xxlarge' | 'xxxlarge' | 'xxxxlarge'

export type SidePanelProps = {
  onClose: () => void
  title: ReactNode
  /** Icon buttons beside Close. */
  actions?: ReactNode
  size?: SidePanelSize
  footer?: ReactNode
  /** Goes around body and footer, as a form does. */
  shell?: (inside: ReactNode) => ReactNode
  children: ReactNode
}

/** The panel itself; loaded when the first one opens. */
export function SidePanelBox({
  onClose,
  title,
  actions,
  size = 'medium',
  footer,
  shell,
  children,
}: SidePanelProps) {
  const back = useFocusBack()
  const inside = (
    <>
      <div className="panel-body scroll">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  )
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className={`panel sheet-panel sheet-${size}`}
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={back}
          onEscapeKeyDown={leaveEscapeToEditor}
        >
          <header>
            <Radix.Title className="grow">{title}</Radix.Title>
            {actions}
            <IconButton icon={X} label="Close" onClick={onClose} />
          </header>
          {shell ? shell(inside) : inside}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
