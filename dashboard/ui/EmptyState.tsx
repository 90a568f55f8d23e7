import type { ReactNode } from 'react'
import { Icon, type IconType } from './Icon.tsx'

type Props = { icon: IconType; title: string; children: ReactNode; action?: ReactNode }

/** A list with nothing in it: one sentence and the action that fills it. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="empty">
      <Icon of={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {action}
    </div>
  )
}
