import { pgMeta } from '#contract/database/pg-meta'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { setRowSecurity } from '#contract/ddl/tables/table-marks'
import { tableDefinition } from '#contract/database/table-definition'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; entity: EntityDetail; onClose: () => void }

/** Row level security of a table, on or off, as the change that it is. */
export function SecurityChange({ projectRef, entity, onClose }: Props) {
  const on = !entity.rls_enabled
  return (
    <ReviewChange
      projectRef={projectRef}
      change={setRowSecurity(entity, on)}
      title={on ? 'Turn row level security on?' : 'Turn row level security off?'}
      verb={on ? 'Turn on' : 'Turn off'}
      danger={!on}
      onClose={onClose}
      onDone={async () => {
        toast.success(on ? 'Row level security is on' : 'Row level security is off')
        onClose()
        await forget(pgMeta.entity, pgMeta.entities, tableDefinition.get)
      }}
    >
      <p>
        {on
          ? `Through the API, clients can reach only rows of ${entity.name} that a policy allows.`
          : `Everybody who has the public key of the API can then reach every row of ${entity.name} that the role's privileges allow.`}
      </p>
    </ReviewChange>
  )
}
