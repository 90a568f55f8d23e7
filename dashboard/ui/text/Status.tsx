import type { ReactNode } from 'react'
import { CirclePause, LoaderCircle } from 'lucide-react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'

type Props = { tone: StatusTone; small?: boolean; children: ReactNode }

/** A sign and a word. */
export function Status({ tone, small, children }: Props) {
  return (
    <span
      className={cx(
        'st',
        small && 't12',
        small && tone === 'success' && 'muted',
        tone !== 'success' && `tone-${tone}`,
      )}
    >
      <StatusDot tone={tone} />
      {children}
    </span>
  )
}

export type StatusTone = 'success' | 'warning' | 'danger' | 'off' | 'working' | 'paused'

const dots: Record<Exclude<StatusTone, 'working' | 'paused'>, string> = {
  success: 'ok',
  warning: 'wa',
  danger: 'da',
  off: 'no',
}

/** The sign of a status. Never alone: a word stands beside it. */
export function StatusDot({ tone }: { tone: StatusTone }) {
  if (tone === 'working') return <Icon of={LoaderCircle} size="s" className="turning" />
  if (tone === 'paused') return <Icon of={CirclePause} size="s" />
  return <span className={cx('dot', dots[tone])} aria-hidden />
}
