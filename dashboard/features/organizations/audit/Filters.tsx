import { useQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { q } from '../../../api/client.ts'
import { DayRange } from '../../../modules/audit/DayRange.tsx'
import { actionWords } from '../../../session/organization/audit-words.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import type { Option } from '../../../ui/controls/options.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import type { AuditFilter } from './queries.ts'

type Props = {
  slug: string
  days: number
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''

/** Who, where, what and when: all of it stands in the address bar. */
export function Filters({ slug, days, filter, onFilter }: Props) {
  const { data } = useQuery(q(api.audit.filters, { slug }))
  const change = (part: AuditFilter) => {
    const kept = Object.entries({ ...filter, ...part }).filter(([, value]) => value)
    onFilter(Object.fromEntries(kept))
  }
  const lists = {
    user: [
      { value: any, label: 'Anyone' },
      ...(data?.users ?? []).map(({ id, email }) => ({ value: id, label: email })),
    ],
    project: [
      { value: any, label: 'Any project' },
      ...(data?.projects ?? []).map(({ ref, name }) => ({ value: ref, label: name, detail: ref })),
    ],
    action: [
      { value: any, label: 'Any action' },
      ...(data?.actions ?? []).map((name) => ({ value: name, label: actionWords(name) ?? name })),
    ],
  }
  return (
    <div className="audit-filters">
      <Select
        size="tool"
        label="Who"
        options={known(lists.user, filter.user)}
        value={filter.user ?? any}
        onChange={(user) => change({ user })}
      />
      <Select
        size="tool"
        label="Project"
        options={known(lists.project, filter.project)}
        value={filter.project ?? any}
        onChange={(project) => change({ project })}
      />
      <Select
        size="tool"
        label="Action"
        options={known(lists.action, filter.action)}
        value={filter.action ?? any}
        onChange={(action) => change({ action })}
      />
      <DayRange days={days} range={filter} onRange={change} />
      {Object.keys(filter).length > 0 && (
        <Button variant="ghost" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** What a link asks for can be chosen, also while the lists are being read or do not have it. */
const known = (options: Option[], value: string | undefined): Option[] =>
  value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }]
