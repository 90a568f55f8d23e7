import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { setRealtime } from '#contract/ddl/tables/table-marks'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { tableDefinition } from '#contract/database/table-definition'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { definitionQuery } from './queries.ts'

type Props = { projectRef: string; entity: EntityDetail; denied: string | undefined }

/** Whether clients hear of changes of the rows. */
export function RealtimeSwitch({ projectRef, entity, denied }: Props) {
  const { data } = useQuery(definitionQuery(projectRef, entity.id))
  const [asking, setAsking] = useState(false)
  if (!data) return null
  const { realtime } = data
  const on = realtime !== true
  return (
    <>
      <Button
        variant="ghost"
        icon={Radio}
        aria-pressed={realtime === true}
        disabledReason={denied}
        onClick={() => setAsking(true)}
      >
        {realtime ? 'Realtime on' : 'Realtime off'}
      </Button>
      <ReviewChange
        projectRef={projectRef}
        change={asking ? setRealtime(entity, on, realtime !== null) : undefined}
        title={on ? 'Send changes to clients?' : 'Stop sending changes to clients?'}
        verb={on ? 'Turn on' : 'Turn off'}
        onClose={() => setAsking(false)}
        onDone={async () => {
          toast.success(on ? 'Realtime is on' : 'Realtime is off')
          setAsking(false)
          await forget(tableDefinition.get)
        }}
      >
        <p>
          {on
            ? `Clients that listen to ${entity.name} receive each row that is inserted, updated or deleted, if their policies let them see it.`
            : `Clients that listen to ${entity.name} receive no further changes.`}
        </p>
      </ReviewChange>
    </>
  )
}
