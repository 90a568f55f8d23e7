import { useState, type ReactNode } from 'react'
import type { Change } from '#contract/ddl/change'
import type { Endpoint } from '#contract/endpoint'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ReviewChange } from '../ReviewChange.tsx'

export const DeleteTitle = ({ name }: { name: string }) => (
  <>
    Delete <span className="mono">{name}</span>
  </>
)

type Props = {
  projectRef: string
  name: string
  /** As "Delete type". */
  verb: string
  drop: (cascade: boolean) => Change
  /** What goes along when it cascades. */
  dependents: string
  /** Where rows go along, its name is typed. */
  typeNameToCascade?: string
  forgets: readonly Endpoint[]
  onClose: () => void
  /** What happens, above the choice. */
  children: ReactNode
}

/** Asks before an object goes that others can depend on; with these, if that is wanted. */
export function DropObject(props: Props) {
  const { projectRef, name, verb, drop, dependents, typeNameToCascade, forgets, onClose } = props
  const [cascade, setCascade] = useState(false)
  return (
    <ReviewChange
      projectRef={projectRef}
      change={drop(cascade)}
      title={<DeleteTitle name={name} />}
      verb={verb}
      danger
      {...(cascade && typeNameToCascade ? { typeName: typeNameToCascade } : {})}
      onClose={onClose}
      changes={forgets}
      onDone={() => {
        toast.success(`${name} is deleted`)
        onClose()
      }}
    >
      {props.children}
      <Checkbox
        label={
          <>
            Delete what depends on it too
            <span className="choice-help">{dependents}</span>
          </>
        }
        checked={cascade}
        onChange={(event) => setCascade(event.target.checked)}
      />
    </ReviewChange>
  )
}
