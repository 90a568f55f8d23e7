import type { Index } from '#contract/database/database-object-shapes'
import { dropIndex } from '#contract/ddl/indexes'
import type { Asked } from '../../../modules/objects/use-review.tsx'
import { numberText } from '../../../ui/text/number.ts'

/** Why an index cannot be dropped by itself; undefined when it can. */
export const heldBy = ({ constraint }: Index) =>
  constraint === null
    ? undefined
    : `The constraint ${constraint} depends on it: drop the constraint instead`

export const askToDropIndex = (index: Index): Asked => ({
  change: dropIndex({ ...index, definition: index.index_definition }),
  title: `Drop ${index.name}`,
  verb: 'Drop index',
  danger: true,
  done: `${index.name} is dropped`,
  children: (
    <p>
      No row is lost. Queries that use it get slower: it was used {numberText(index.scans)}{' '}
      {index.scans === 1 ? 'time' : 'times'} since the statistics were last reset.
    </p>
  ),
})
