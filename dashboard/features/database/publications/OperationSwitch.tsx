import type { Publication } from '#contract/database/database-object-shapes'
import {
  changePublication,
  publishedOperations,
  type PublishedOperation,
} from '#contract/ddl/publications'
import type { Asked } from '../../../modules/objects/use-review.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { publicationThere } from './publication-there.ts'

type Props = {
  publication: Publication
  operation: PublishedOperation
  why: string | undefined
  ask: (asked: Asked) => void
}

/** Whether one kind of change is published; turned only after the SQL was seen. */
export function OperationSwitch({ publication, operation, why, ask }: Props) {
  const { name } = publication
  const there = publicationThere(publication)
  const on = there.operations.includes(operation)
  const operations = publishedOperations.filter((one) =>
    one === operation ? !on : there.operations.includes(one),
  )
  return (
    <span title={why}>
      <Switch
        label={<span className="sr">{`${operation} of ${name}`}</span>}
        checked={on}
        disabled={why !== undefined}
        onChange={() =>
          ask({
            change: changePublication(there, { operations }),
            title: `${on ? 'Stop publishing' : 'Publish'} ${operation.toUpperCase()} in ${name}`,
            verb: 'Change publication',
            done: `${name} is changed`,
          })
        }
      />
    </span>
  )
}
