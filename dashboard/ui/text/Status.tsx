import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { StatusDot, type StatusTone } from './StatusDot.tsx'

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
