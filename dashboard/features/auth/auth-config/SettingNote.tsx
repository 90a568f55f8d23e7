import { Link } from '@tanstack/react-router'
import { Lock, TriangleAlert } from 'lucide-react'
import { Icon } from '../../../ui/Icon.tsx'
import type { Closed } from './closed.ts'

type Props = { id?: string; closed: Closed; slug: string }

/** Why a setting cannot be changed here, and where that can be changed. */
export function ClosedNote({ id, closed: { reason, byPlan }, slug }: Props) {
  return (
    <p className="setting-closed" id={id}>
      <Icon of={Lock} size="xs" />
      <span>
        {reason}
        {byPlan && (
          <>
            {' '}
            <Link className="link" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          </>
        )}
      </span>
    </p>
  )
}

/** What to think of a value that is allowed all the same. */
export function WarningNote({ children }: { children: string }) {
  return (
    <output className="setting-warning">
      <Icon of={TriangleAlert} size="xs" />
      {children}
    </output>
  )
}
