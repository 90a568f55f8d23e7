import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'
import { toast } from '../floats/toast.ts'
import { IconButton } from './IconButton.tsx'

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

/** Copies text and says so for 2 seconds. `copied` is true in that time. */
export function useCopy() {
  const [copies, setCopies] = useState(0)
  useEffect(() => {
    if (!copies) return undefined
    const timer = setTimeout(() => setCopies(0), 2000)
    return () => clearTimeout(timer)
  }, [copies])

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      setCopies((n) => n + 1)
    } catch {
      // The page has no focus, or the browser forbids it.
      toast.error('Unable to copy to clipboard')
    }
  }
  return { copied: copies > 0, copy }
}
