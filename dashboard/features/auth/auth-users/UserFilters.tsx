import { useState } from 'react'
import { userFields, userSorts, userStates, maxMatches } from '#contract/auth/auth-users'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { fieldOf, matchOf, orderOf, sortOf } from './queries.ts'
import type { UserFilter } from './search.ts'
import { fieldWords, knownProviders, providerLabel, sortWords, stateWords } from './user-words.ts'

type Props = {
  filter: UserFilter
  /** A search by index found more than it looks at. */
  capped: boolean
  onFilter: (filter: UserFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''

/** Who is looked for and in which order. A search by beginnings follows what is typed; one that reads everybody waits for Enter. */
export function UserFilters({ filter, capped, onFilter }: Props) {
  const [typed, setTyped] = useState(filter.q ?? '')
  const off = useDisabledFeatures()
  const match = matchOf(filter)
  const change = (part: UserFilter) => onFilter({ ...filter, ...part })
  const providers = knownProviders.map((name) => ({ value: name, label: providerLabel(name) }))
  const asked = filter.provider
  const isHidden = (sort: string) =>
    (sort === 'email' && off('authentication:show_sort_by_email')) ||
    (sort === 'phone' && off('authentication:show_sort_by_phone'))
  return (
    <>
      <Form
        error={undefined}
        pending={false}
        className="narrow-bar"
        onSubmit={() => change({ q: typed })}
      >
        <SearchField
          label="Find a user"
          value={typed}
          onChange={(next) => {
            setTyped(next)
            if (match === 'starts' || next === '') change({ q: next })
          }}
        />
        <div className="users-select">
          <Select
            size="tool"
            label="Search in"
            value={fieldOf(filter)}
            options={userFields.map((value) => ({ value, label: fieldWords[value] }))}
            onChange={(field) => change({ field })}
          />
        </div>
        <Segmented
          label="How to search"
          value={match}
          options={[
            { value: 'starts', label: 'Starts with' },
            { value: 'contains', label: 'Contains' },
          ]}
          onChange={(next) => change({ match: next, q: next === 'starts' ? typed : filter.q })}
        />
        {match === 'contains' && <Button type="submit">Search</Button>}
        {!off('authentication:show_user_type_filter') && (
          <div className="users-select">
            <Select
              size="tool"
              label="Status"
              value={filter.state ?? any}
              options={[
                { value: any, label: 'Any status' },
                ...userStates.map((value) => ({ value, label: stateWords[value] })),
              ]}
              onChange={(state) => change({ state })}
            />
          </div>
        )}
        {!off('authentication:show_provider_filter') && (
          <div className="users-select">
            <Select
              size="tool"
              label="Provider"
              value={asked ?? any}
              options={[
                { value: any, label: 'Any provider' },
                ...providers,
                ...(asked && !knownProviders.includes(asked)
                  ? [{ value: asked, label: asked }]
                  : []),
              ]}
              onChange={(provider) => change({ provider })}
            />
          </div>
        )}
        <span className="grow" />
        <div className="users-select">
          <Select
            size="tool"
            label="Sort by"
            value={`${sortOf(filter)} ${orderOf(filter)}`}
            options={userSorts
              .filter((sort) => !isHidden(sort))
              .flatMap((sort) => [
                {
                  value: `${sort} desc`,
                  label: `${sortWords[sort]}, ${isTime(sort) ? 'newest' : 'Z'} first`,
                },
                {
                  value: `${sort} asc`,
                  label: `${sortWords[sort]}, ${isTime(sort) ? 'oldest' : 'A'} first`,
                },
              ])}
            onChange={(next) => {
              const [sort, order] = next.split(' ')
              change({ sort, order })
            }}
          />
        </div>
      </Form>
      <p className="help users-note">{noteOf(filter, capped)}</p>
    </>
  )
}

const isTime = (sort: string) => sort.endsWith('_at')

/** Which search is quick, and what it looks at. */
function noteOf(filter: UserFilter, capped: boolean): string {
  if (matchOf(filter) === 'contains')
    return 'Searches anywhere in the text and reads every user, so it is slow with many users. Press Enter to search.'
  if (capped)
    return `More than ${numberText(maxMatches)} users start with this text. Only some of them are listed: type more.`
  return 'Searches the start of IDs, emails, phone numbers and metadata words using an index, so it stays fast with any number of users.'
}
