import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { cx } from '../../../../ui/cx.ts'
import type { TableModel } from '../table-model.ts'
import { ValueText } from '../values/ValueText.tsx'

type Props = { entity: EntityDetail; model: TableModel; onOpen: (row: number) => void }

/** Values that a card shows below the key; the rest is in the row's panel. */
const shownColumns = 4

/** Rows on a phone. */
export function RowCards({ entity, model, onOpen }: Props) {
  const keys = entity.primary_key
  const heads = entity.columns.filter(({ name }) => keys.includes(name))
  const head = heads.length > 0 ? heads : entity.columns.slice(0, 1)
  const others = entity.columns.filter((column) => !head.includes(column)).slice(0, shownColumns)
  const indexOf = (id: string) => entity.columns.findIndex((column) => column.id === id)
  return (
    <ul className="row-cards scroll" aria-label={`Rows of ${entity.name}`}>
      {Array.from({ length: model.rowCount }, (_, row) => (
        <li key={row}>
          <button
            type="button"
            className={cx('row-card', model.rowStateAt(row))}
            onClick={() => onOpen(row)}
          >
            <span className="row-card-key mono">
              {head.map(({ id }) => (
                <ValueText key={id} view={model.cellAt(row, indexOf(id))} />
              ))}
            </span>
            {others.map(({ id, name }) => (
              <span className="row-card-pair" key={id}>
                <span className="muted t12 ell">{name}</span>
                <span className="mono ell">
                  <ValueText view={model.cellAt(row, indexOf(id))} />
                </span>
              </span>
            ))}
          </button>
        </li>
      ))}
    </ul>
  )
}
