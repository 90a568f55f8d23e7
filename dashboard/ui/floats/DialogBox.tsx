import { X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { leaveEscapeToEditor } from '../code/escape.ts'
import { useFocusBack, focusFirst } from './focus.ts'
import { IconButton } from '../controls/IconButton.tsx'

export type DialogSize = 'tiny' | 'small' | 'medium' | 'large' | 'xlarge' | 'xxlarge' | 'xxxlarge'

export type DialogProps = {
  onClose: () => void
  title: ReactNode
  size?: DialogSize
  padding?: 'small' | 'medium'
  /** No Close button at the top right; Escape and Cancel still close. */
  hideClose?: boolean
  /** Buttons at the bottom right. */
  footer?: ReactNode
  /** Goes around body and footer, as a form does. */
  shell?: (inside: ReactNode) => ReactNode
  children: ReactNode
}

/** The dialog itself; loaded when the first one opens. */
export function DialogBox({
  onClose,
  title,
  size = 'medium',
  padding = 'small',
  hideClose = false,
  footer,
  shell = (inside) => inside,
  children,
}: DialogProps) {
  const back = useFocusBack()
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim scrim-centre">
          <Radix.Content
            className={cx('dlg', `dlg-${size}`, padding === 'medium' && 'dlg-roomy')}
            aria-describedby={undefined}
            onOpenAutoFocus={focusFirst}
            onCloseAutoFocus={back}
            onEscapeKeyDown={leaveEscapeToEditor}
          >
            <header>
              <Radix.Title>{title}</Radix.Title>
              {!hideClose && <IconButton icon={X} label="Close" onClick={onClose} />}
            </header>
            {shell(
              <>
                <div className="pad">{children}</div>
                {footer && <footer>{footer}</footer>}
              </>,
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
