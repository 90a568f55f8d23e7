import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SearchField } from '../../ui/controls/SearchField.tsx'
import { protection } from './protected-schemas.ts'
import type { ObjectSearch } from './schemas.ts'
import { SchemaSelect } from './SchemaSelect.tsx'
import '../../ui/lists/objects.css'

type Props<Search extends ObjectSearch> = {
  projectRef: string
  title: string
  help: string
  /** As "function". */
  one: string
  search: Search
  onSearch: (search: Search) => void
  /** The button that makes one; also for an empty list. */
  create: ReactNode
  /** Before the schema, as tabs. */
  tabs?: ReactNode
  /** The list is of the whole database, whatever schema the address names. */
  ofAll?: boolean
  children: ReactNode
}

/** A page of database/ that lists objects of a schema. */
export function ObjectPage<Search extends ObjectSearch>(props: Props<Search>) {
  const { projectRef, title, help, one, search, onSearch, create, tabs, ofAll } = props
  const { schema = 'public', find = '' } = search
  const locked = ofAll ? undefined : protection(schema)
  return (
    <Page>
      <PageHead title={title} help={help} actions={create} />
      <div className="object-bar">
        {tabs}
        {!ofAll && (
          <SchemaSelect
            projectRef={projectRef}
            schema={schema}
            onSchema={(next) => onSearch({ ...search, schema: next })}
          />
        )}
        <SearchField
          label={`Find a ${one}`}
          value={find}
          onChange={(next) => onSearch({ ...search, find: next })}
        />
        {locked && <p className="help">{locked}</p>}
      </div>
      {props.children}
    </Page>
  )
}

type CreateProps = { label: string; denied: string | undefined; onCreate: () => void }

export function CreateButton({ label, denied, onCreate }: CreateProps) {
  return (
    <Button variant="primary" icon={Plus} disabledReason={denied} onClick={onCreate}>
      {label}
    </Button>
  )
}
