import { X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { useFocusBack } from './focus.ts'
import { IconButton } from '../controls/IconButton.tsx'
import './split-dialog.css'

type Props = {
  onClose: () => void
  title: string
  /** The list at the left: 280 px wide; above the rest in a narrow window. */
  list: ReactNode
  /** Left of the Close button, above what was chosen. */
  head: ReactNode
  children: ReactNode
}

/** A dialog of two parts, 550 px high: a list, and what is chosen in it. */
export function SplitDialog({ onClose, title, list, head, children }: Props) {
  const back = useFocusBack()
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim scrim-centre">
          <Radix.Content
            className="dlg split-dialog"
            aria-describedby={undefined}
            onCloseAutoFocus={back}
          >
            <div className="split-list">
              <Radix.Title>{title}</Radix.Title>
              {list}
            </div>
            <div className="split-pane">
              <header>
                {head}
                <IconButton icon={X} label="Close" onClick={onClose} />
              </header>
              <div className="split-body scroll">{children}</div>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
