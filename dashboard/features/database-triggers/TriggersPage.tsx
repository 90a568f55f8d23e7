import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseTriggers } from '#contract/database-triggers'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Plus } from 'lucide-react'
import { protection } from '../../session/protected-schemas.ts'
import { EventTriggerTab } from './EventTriggerTab.tsx'
import { eventTriggersQuery } from './queries.ts'
import type { TriggerSearch } from './search.ts'
import { TriggerTab } from './TriggerTab.tsx'
import '../../ui/objects.css'

type Props = {
  projectRef: string
  search: TriggerSearch
  onSearch: (search: TriggerSearch) => void
}

/** /project/{ref}/database/triggers */
export function TriggersPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '', tab } = search
  const [creating, setCreating] = useState(false)
  const why = useDenials(useProject(projectRef))
  const events = useQuery({ ...eventTriggersQuery(projectRef), enabled: tab === 'events' })
  const ofEvents =
    tab === 'events' && events.data && !events.data.can_create
      ? 'Only a superuser can make event triggers, and a project’s own role is none'
      : undefined
  const denied = why(databaseTriggers.create) ?? (tab === 'events' ? ofEvents : protection(schema))
  const create = (
    <Button variant="primary" icon={Plus} disabledReason={denied} onClick={() => setCreating(true)}>
      {tab === 'events' ? 'New event trigger' : 'New trigger'}
    </Button>
  )
  const shared = { projectRef, find, create, creating, onCreated: () => setCreating(false) }
  return (
    <Page>
      <PageHead
        title="Triggers"
        help="Functions that the database calls by itself: when rows change, or when its structure does."
        actions={
          <>
            <SearchField
              label="Find a trigger"
              value={find}
              onChange={(text) => onSearch({ ...search, find: text })}
            />
            {create}
          </>
        }
      />
      <div className="object-bar">
        <Tabs
          label="Kind of trigger"
          look="pills"
          tabs={[
            { id: 'tables', label: 'Of tables' },
            { id: 'events', label: 'Event triggers' },
          ]}
          value={tab ?? 'tables'}
          onChange={(next) =>
            onSearch(next === 'events' ? { ...search, tab: next } : { schema, find })
          }
        />
      </div>
      {tab === 'events' ? (
        <EventTriggerTab {...shared} />
      ) : (
        <TriggerTab
          {...shared}
          schema={schema}
          onSchema={(next) => onSearch({ ...search, schema: next })}
        />
      )}
    </Page>
  )
}
