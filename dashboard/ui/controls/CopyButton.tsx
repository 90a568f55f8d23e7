import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { useCopy } from './use-copy.ts'

type Props = {
  /** What goes to the clipboard. */
  text: string
  /** What it is, for the label: "Copy project ref". */
  what: string
  /** Shown beside the icon, usually the text itself; without it the button is the icon alone. */
  children?: ReactNode
}

export function CopyButton({ text, what, children }: Props) {
  const { copied, copy } = useCopy()
  const label = copied ? 'Copied' : `Copy ${what}`
  if (!children)
    return (
      <IconButton
        className={copied ? 'copied' : undefined}
        icon={copied ? Check : Copy}
        iconSize="s"
        label={label}
        onClick={() => void copy(text)}
      />
    )
  return (
    <button
      type="button"
      className={cx('copy', copied && 'done')}
      title={`Copy ${what}`}
      onClick={() => void copy(text)}
    >
      <span className="ell">{children}</span>
      <Icon of={copied ? Check : Copy} />
      <span aria-live="polite">{copied && 'Copied'}</span>
    </button>
  )
}
