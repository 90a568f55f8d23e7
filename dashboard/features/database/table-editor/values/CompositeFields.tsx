import { useQuery } from '@tanstack/react-query'
import { databaseTypes } from '#contract/database/database-types'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { databaseQuery } from '../../../../session/project/database.ts'
import { ValueArea } from '../../../../ui/text/ValueArea.tsx'
import { readComposite, writeComposite } from './literals.ts'

export type Attribute = { name: string; type: string }

type Props = {
  attributes: readonly Attribute[]
  /** The whole value; null is NULL. */
  text: string | null
  disabled: boolean
  onText: (text: string) => void
}

/** A composite value by its fields. Only for a text that has these fields, or none at all. */
export function CompositeFields({ attributes, text, disabled, onText }: Props) {
  const fields = fieldsOf(text, attributes.length) ?? []
  const put = (at: number, value: string | null) =>
    onText(writeComposite(attributes.map((_, i) => (i === at ? value : (fields[i] ?? null)))))
  return (
    <div className="composite form-stack">
      {attributes.map(({ name, type }, at) => {
        const value = fields[at] ?? null
        const control = {
          label: (
            <span className="row">
              <span className="ell">{name}</span>
              <span className="mono faint">{type}</span>
            </span>
          ),
          labelEnd: !disabled && (
            <span className="row field-values">
              <button type="button" className="link" onClick={() => put(at, null)}>
                NULL
              </button>
            </span>
          ),
          mono: true,
          disabled,
          spellCheck: false,
          placeholder: value === null ? 'NULL' : 'EMPTY',
          value: value ?? '',
        }
        // Any type may hold line breaks, and a field of one line would take them away.
        return (
          <ValueArea
            key={name}
            {...control}
            rows={type === 'text' ? 2 : 1}
            onText={(next) => put(at, next)}
          />
        )
      })}
    </div>
  )
}

/** Undefined: a text that is not such a value, which is edited as text. */
export const fieldsOf = (text: string | null, count: number) =>
  text === null ? Array.from({ length: count }, () => null) : readComposite(text, count)

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
