import { CircleStop, Unplug } from 'lucide-react'
import { activity, type Session } from '#contract/database/activity'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { useDenials } from '../../session/organization/permissions.ts'
import { useProject } from '../../session/project/use-project.ts'
import type { Deed } from './EndDialog.tsx'

type Props = { projectRef: string; session: Session; onEnd: (deed: Deed) => void }

export function EndButtons({ projectRef, session, onEnd }: Props) {
  const denials = useDenials(useProject(projectRef))
  const { pid, started, state } = session
  const hidden = started === null && 'You cannot see this session'
  const idle = state !== 'active' && 'It is not running a query'
  return (
    <span className="row-acts">
      <IconButton
        icon={CircleStop}
        label={`Cancel the query of ${pid}`}
        disabledReason={denials(activity.cancel) ?? (hidden || idle)}
        onClick={() => onEnd('cancel')}
      />
      <IconButton
        icon={Unplug}
        label={`End session ${pid}`}
        disabledReason={denials(activity.terminate) ?? hidden}
        onClick={() => onEnd('terminate')}
      />
    </span>
  )
}
