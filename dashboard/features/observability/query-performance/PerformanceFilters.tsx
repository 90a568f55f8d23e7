import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import type { PerformanceFilter } from './queries.ts'
import { numberText } from '../../../ui/text/number.ts'

type Props = {
  filter: PerformanceFilter
  roles: readonly string[]
  onFilter: (filter: PerformanceFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''
const callSteps = ['10', '100', '1000', '10000']

export function PerformanceFilters({ filter, roles, onFilter }: Props) {
  const { q = '', roles: role = any, calls = any, whose, sort } = filter
  const known = role === any || roles.includes(role) ? roles : [...roles, role]
  return (
    <div className="narrow-bar performance-bar">
      <SearchField
        label="Find in the text"
        value={q}
        onChange={(next) => onFilter({ ...filter, q: next })}
      />
      <div className="narrow-select">
        <Select
          size="tool"
          label="Role"
          value={role}
          options={[
            { value: any, label: 'Any role' },
            ...known.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(next) => onFilter({ ...filter, roles: next })}
        />
      </div>
      <div className="narrow-select">
        <Select
          size="tool"
          label="Minimum calls"
          value={calls}
          options={[
            { value: any, label: 'Any number of calls' },
            ...callSteps.map((least) => ({
              value: least,
              label: `${numberText(Number(least))} calls or more`,
            })),
          ]}
          onChange={(next) => onFilter({ ...filter, calls: next })}
        />
      </div>
      <Segmented
        label="Whose statements"
        value={whose === 'all' ? 'all' : 'own'}
        options={[
          { value: 'own', label: 'Yours' },
          { value: 'all', label: 'Platform too' },
        ]}
        onChange={(next) => onFilter({ ...filter, whose: next === 'all' ? next : undefined })}
      />
      {(q || role || calls) && (
        <Button variant="ghost" onClick={() => onFilter({ sort, whose })}>
          Clear
        </Button>
      )}
    </div>
  )
}
