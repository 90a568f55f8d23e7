import { useQuery } from '@tanstack/react-query'
import { databaseObjects } from '#contract/database/database-objects'
import type { Dependent, Extension } from '#contract/database/database-object-shapes'
import { disableExtension } from '#contract/ddl/extensions'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { ofExtensions } from './EnableForm.tsx'

type Props = { projectRef: string; extension: Extension; onClose: () => void }

/** What uses an extension, before it is removed: everything in the list goes with it, and its name is typed for that. */
export function DisableDialog({ projectRef, extension, onClose }: Props) {
  const { name } = extension
  const { data, error } = useQuery(
    databaseQuery(databaseObjects.extensionDependents, { ref: projectRef, name }, 0),
  )
  const title = `Disable ${name}`
  if (!data) {
    return (
      <Dialog open title={title} onClose={onClose}>
        {error ? (
          <Alert variant="danger" title={error.message} />
        ) : (
          <Skeleton width="100%" height={72} />
        )}
      </Dialog>
    )
  }
  const isUsed = data.length > 0
  return (
    <ReviewChange
      projectRef={projectRef}
      change={disableExtension({ ...extension, cascade: isUsed })}
      title={title}
      verb={isUsed ? 'Disable and drop what uses it' : 'Disable extension'}
      danger
      {...(isUsed ? { typeName: name } : {})}
      onClose={onClose}
      onDone={async () => {
        await forget(...ofExtensions)
        toast.success(`${name} is disabled`)
        onClose()
      }}
    >
      <p>Its types, functions and operators are removed. {!isUsed && 'Nothing uses them.'}</p>
      {isUsed && <Dependents name={name} dependents={data} />}
    </ReviewChange>
  )
}

/** As many as one answer names. */
const most = 200

function Dependents({ name, dependents }: { name: string; dependents: readonly Dependent[] }) {
  const some = dependents.length >= most ? `The first ${most}` : String(dependents.length)
  return (
    <Alert
      variant="danger"
      title={`${some} ${dependents.length === 1 ? 'object uses' : 'objects use'} ${name} and ${dependents.length === 1 ? 'is' : 'are'} dropped too`}
    >
      Columns lose their values. This cannot be undone.
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <ul className="dependents" tabIndex={0} aria-label={`What uses ${name}`}>
        {dependents.map((one) => (
          <li key={`${one.type} ${one.name}`}>
            {one.type} <span className="mono">{one.name}</span>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
