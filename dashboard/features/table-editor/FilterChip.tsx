import { X } from 'lucide-react'
import type { RowFilter } from '#contract/table-rows'
import { Icon } from '../../ui/Icon.tsx'
import { operatorWords } from './operators.ts'

type Props = { filter: RowFilter; onRemove: () => void }

export function FilterChip({ filter, onRemove }: Props) {
  const { column, operator, value } = filter
  return (
    <span className="chip">
      <span>{column}</span>
      <span className="op" title={operatorWords[operator]}>
        {operator}
      </span>
      <span className="ell chip-value">{value === '' ? "''" : value}</span>
      <button type="button" aria-label={`Remove the filter on ${column}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </span>
  )
}
