import { useQuery } from '@tanstack/react-query'
import { databaseTypes } from '#contract/database/database-types'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { databaseQuery } from '../../../../session/project/database.ts'
import type { Attribute } from '../values/CompositeFields.tsx'

/** Only types that somebody has made have fields. */
const mayHaveFields = ({ data_type: type, enums }: Column) =>
  type === 'USER-DEFINED' && enums.length === 0

/** The fields of a column's composite type; undefined while they are not known, and for every other type. */
export function useAttributes(
  projectRef: string,
  entity: EntityDetail,
  columns: readonly Column[],
) {
  const types = useQuery({
    ...databaseQuery(databaseTypes.list, { ref: projectRef }),
    enabled: columns.some(mayHaveFields),
  })
  return (column: Column): readonly Attribute[] | undefined => {
    const found = types.data?.find(
      ({ kind, used_by }) =>
        kind === 'composite' &&
        used_by.some(
          (use) =>
            use.schema === entity.schema && use.table === entity.name && use.column === column.name,
        ),
    )
    const isOne = mayHaveFields(column) && found && found.attributes.length > 0
    return isOne ? found.attributes : undefined
  }
}
