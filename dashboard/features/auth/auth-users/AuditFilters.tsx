import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { DayField } from '../../../ui/controls/DayField.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { actionLabel, auditActions } from './audit-words.ts'
import type { AuditFilter } from './queries.ts'

type Props = {
  filter: AuditFilter
  /** From when on entries are shown; undefined while that is not known. */
  since: string | undefined
  onFilter: (filter: AuditFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''
const dayOf = (time: Date) => time.toLocaleDateString('sv')

/** What, who and when: all of it stands in the address bar. */
export function AuditFilters({ filter, since, onFilter }: Props) {
  const { action, actor = '', from = '', to = '', user } = filter
  const [typed, setTyped] = useState(actor)
  const [today] = useState(() => dayOf(new Date()))
  const oldest = since ? dayOf(new Date(since)) : ''
  const change = (part: AuditFilter) => onFilter({ ...filter, ...part })
  const actions =
    action && !auditActions.includes(action) ? [...auditActions, action] : auditActions
  return (
    <Form
      error={undefined}
      pending={false}
      className="narrow-bar"
      onSubmit={() => change({ actor: typed })}
    >
      <div className="narrow-select">
        <Select
          size="tool"
          label="Action"
          value={action ?? any}
          options={[
            { value: any, label: 'Any action' },
            ...actions.map((name) => ({ value: name, label: actionLabel(name), detail: name })),
          ]}
          onChange={(next) => change({ action: next })}
        />
      </div>
      <SearchField
        label="User: full email, phone number or ID"
        width={260}
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (next === '') change({ actor: undefined })
        }}
      />
      <Button type="submit">Find</Button>
      <DayField
        label="From"
        value={from}
        min={oldest}
        max={to || today}
        onChange={(next) => change({ from: next })}
      />
      <DayField
        label="To"
        value={to}
        min={from || oldest}
        max={today}
        onChange={(next) => change({ to: next })}
      />
      {(action || actor || from || to || user) && (
        <Button
          variant="ghost"
          onClick={() => {
            setTyped('')
            onFilter({})
          }}
        >
          Clear
        </Button>
      )}
      {user && (
        <span className="help">
          About one user: <span className="mono">{user.slice(0, 13)}…</span>
        </span>
      )}
    </Form>
  )
}
