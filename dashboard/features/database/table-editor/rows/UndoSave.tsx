import { History } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { undoMinutes } from '#contract/database/table-views'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import { useUndo } from './use-undo.ts'

type Props = { projectRef: string; entity: EntityDetail; readOnly: string | undefined }

/** Takes the last save back, for half an hour after it. */
export function UndoSave({ projectRef, entity, readOnly }: Props) {
  const { undo, pending, takeBack } = useUndo(projectRef, entity)
  if (!undo || readOnly !== undefined) return null
  const what = undo.count === 1 ? '1 change' : `${undo.count} changes`
  return (
    <Tooltip text={`Undoes what was applied last: ${what}. Available for ${undoMinutes} minutes.`}>
      <Button variant="ghost" icon={History} busy={pending} onClick={takeBack}>
        <span className="words">Undo save</span>
      </Button>
    </Tooltip>
  )
}
