import { useMutation } from '@tanstack/react-query'
import { storage, type FileEntry } from '#contract/storage/storage'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/use-project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import type { FileDialogOf } from './FileDialog.tsx'
import { saveEntries, tooMany, type Place } from './file-actions.ts'

type Props = {
  place: Place
  chosen: readonly FileEntry[]
  onClear: () => void
  onAsk: (kind: FileDialogOf['kind'], entries: readonly FileEntry[]) => void
}

/** What can be done to all that are chosen. */
export function SelectionBar({ place, chosen, onClear, onAsk }: Props) {
  const why = useDenials(useProject(place.projectRef))
  const many = tooMany(chosen.length)
  const save = useMutation({
    mutationFn: () => saveEntries(place, chosen),
    onError: (error) => toast.error(error.message),
  })
  return (
    <div className="files-chosen">
      <output>{numberText(chosen.length)} selected</output>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      <Button busy={save.isPending} disabledReason={many} onClick={() => save.mutate()}>
        Download
      </Button>
      <Button disabledReason={why(storage.move) ?? many} onClick={() => onAsk('move', chosen)}>
        Move
      </Button>
      <Button disabledReason={why(storage.copy) ?? many} onClick={() => onAsk('copy', chosen)}>
        Copy
      </Button>
      <Button
        variant="danger-quiet"
        disabledReason={why(storage.remove) ?? many}
        onClick={() => onAsk('delete', chosen)}
      >
        Delete
      </Button>
    </div>
  )
}
